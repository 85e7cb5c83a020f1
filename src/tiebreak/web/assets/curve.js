// Expected loss against time, as a small drawing of our own: both axes by logarithms, what was planned as steps.
import { draw, duration, short } from "./dom.js";

const WIDE = 480, HIGH = 300, LEFT = 52, RIGHT = 26, TOP = 14, LOW = 44;

function decades(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) if (10 ** power >= low && 10 ** power <= high * 1.0001) found.push(10 ** power);
  return found;
}

// Ticks of losses: decades, or 1, 2 and 5 of each where that would leave fewer than three.
function losses(low, high) {
  const whole = decades(low, high);
  return whole.length > 2 ? whole : decades(low / 10, high).flatMap(each => [each, 2 * each, 5 * each]).filter(each => each >= low && each <= high);
}

const TIMES = [0.001, 0.01, 0.1, 1, 10, 60, 600, 3600, 36000, 360000];

export function curve(points, schedule) {
  const known = points.filter(each => each.seconds > 0 && each.expected_loss > 0);
  if (known.length < 2) return null;
  const span = values => [Math.min(...values), Math.max(...values)];
  const [first, last] = span(known.map(each => each.seconds));
  const [least, most] = span(known.flatMap(each => [Math.max(each.low, each.expected_loss / 10), each.high, each.expected_loss]).filter(each => each > 0));
  const x = seconds => LEFT + (WIDE - LEFT - RIGHT) * Math.log(Math.max(seconds, first) / first) / Math.log(last / first || 2);
  const y = loss => TOP + (HIGH - TOP - LOW) * Math.log(most / Math.max(loss, least)) / Math.log(most / least || 2);
  const line = known.map(each => `${x(each.seconds).toFixed(1)},${y(each.expected_loss).toFixed(1)}`);
  const band = [...known.map(each => [each.seconds, each.high]), ...[...known].reverse().map(each => [each.seconds, each.low])]
    .map(([seconds, loss]) => `${x(seconds).toFixed(1)},${y(loss).toFixed(1)}`);
  const parts = [];
  for (const each of losses(least, most)) parts.push(
    draw("line", { class: "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(each), y2: y(each) }),
    draw("text", { x: LEFT - 6, y: y(each) + 4, "text-anchor": "end" }, short(each, 2)));
  for (const each of TIMES.filter(each => each >= first && each <= last)) parts.push(
    draw("line", { class: "grid", x1: x(each), x2: x(each), y1: TOP, y2: HIGH - LOW }),
    draw("text", { x: x(each), y: HIGH - LOW + 16, "text-anchor": "middle" }, duration(each)));
  parts.push(draw("polygon", { class: "band", points: band.join(" ") }), draw("polyline", { class: "line", points: line.join(" ") }),
    ...named(schedule, x, y, first, last), draw("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 8, "text-anchor": "middle" }, "time of trying"));
  const words = `Expected loss against time: ${short(known[0].expected_loss)} at ${duration(first)}, ${short(known.at(-1).expected_loss)} at ${duration(last)}.`;
  return draw("svg", { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": words }, ...parts);
}

// Names of the first trials, where there is room for them.
function named(schedule, x, y, first, last) {
  const found = [];
  let free = -Infinity;
  for (const each of schedule.slice(0, 6)) {
    if (each.ends < first || each.ends > last || each.expected_loss <= 0) continue;
    const [across, down] = [x(each.ends), y(each.expected_loss)];
    found.push(draw("circle", { class: "dot", cx: across, cy: down, r: 3.5 }));
    const room = each.algorithm.length * 6.4;
    if (across < free || across + room > WIDE) continue;
    found.push(draw("text", { class: "name", x: across + 4, y: down - 7 }, each.algorithm));
    free = across + room + 6;
  }
  return found;
}
