// MultiTest in the page: from decisions that the package has made at every level and margin to an order with reasons.
// It follows deciding/order (_multitest.py, _over_scores.py, _reasons.py, _explaining.py) sentence by sentence; a test runs
// both on many settings and compares. No p-value is compared here: a digit says from which level on a pair is decided.
"use strict";

const Tiebreak = (() => {
  const ROOMS = [[40, 3], [24, 2], [12, 1]];
  const LONGEST_TEXT = 400;
  const letters = (text) => Array.from(text);
  const range = (count) => Array.from({ length: count }, (_, i) => i);

  // Pairs i < j lie row by row. A digit in base 36 is the first level that decides a pair, "-" is never.
  const at = (i, j, count) => (i < j ? (i * (2 * count - i - 1)) / 2 + j - i - 1 : at(j, i, count));
  const NEVER = 99;
  const levels = (digits) => Uint8Array.from(digits, (each) => (each === "-" ? NEVER : parseInt(each, 36)));
  const read = new Map(); // digits are long: each text is read once
  const levelsOf = (digits) => read.get(digits) || read.set(digits, levels(digits)).get(digits);

  const is = (p) => (p.startsWith("<") ? `p ${p}` : `p = ${p}`);
  // Whether what is shown is so with all pairs counted, or with the comparisons of one alone.
  const how = (significant) => (significant ? "significantly" : "shown to be");

  const listed = (names, most) => {
    if (names.length > most) return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
    return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
  };

  // What is known of each pair at a setting {level, margin (a place in data.margins, or null), undecided}:
  // better(i, j): j is significantly better than i; shown(i, j): the same with the comparisons counted that the order counts; good(i, j): the cheaper i is shown good enough beside j;
  // differ(i, j): told apart, and neither better; moves(i, j): j goes before the cheaper i.
  function decisions(data, setting) {
    const count = data.algorithms.length, model = data.models[data.at[setting.level]], prior = model.prior;
    const told = levelsOf(model.better), goods = setting.margin === null ? null : levelsOf(model.good[setting.margin]);
    const own = model.own ? levelsOf(model.own) : told;
    const BETTER = 1, GOOD = 2, DIFFER = 4, MOVES = 8, SHOWN = 16, known = new Uint8Array(count * count);
    for (let i = 0, pair = 0; i < count; i += 1) {
      for (let j = i + 1; j < count; j += 1, pair += 1) {
        const [cheap, dear] = prior[i] < prior[j] ? [i, j] : [j, i], toward = model.toward[pair];
        const apart = told[pair] <= setting.level, good = goods !== null && goods[pair] <= setting.level;
        const winner = (apart || own[pair] <= setting.level) && toward !== "=" ? (toward === ">" ? j : i) : null;
        if (winner !== null) known[(winner === j ? i : j) * count + winner] |= apart ? SHOWN | BETTER : SHOWN;
        if (apart && toward === "=" && data.several) { known[i * count + j] |= DIFFER; known[j * count + i] |= DIFFER; }
        if (good) known[cheap * count + dear] |= GOOD;
        const ahead = toward === ">" ? j : toward === "<" ? i : null; // who scores better, shown or not
        const late = setting.undecided === "costlier" || (setting.undecided === "better" && ahead === dear);
        const open = winner === null && goods !== null && !good && late;
        if ((winner === dear && !good) || open) known[cheap * count + dear] |= MOVES;
        if (winner === cheap) known[dear * count + cheap] |= MOVES;
      }
    }
    const is = (bit) => (i, j) => (known[i * count + j] & bit) !== 0;
    return { count, model, prior, better: is(BETTER), shown: is(SHOWN), good: is(GOOD), differ: is(DIFFER), moves: is(MOVES), margin: goods !== null };
  }

  // Place, again and again, the cheapest that waits for nobody: edges lead from a cheaper to a costlier, better one.
  function multitest({ count, prior, moves }) {
    const byCost = range(count).sort((i, j) => prior[i] - prior[j]);
    const edge = (i, j) => prior[j] > prior[i] && moves(i, j);
    const waits = byCost.map((i) => byCost.filter((j) => edge(i, j)).length);
    const order = [];
    while (order.length < count) {
      const k = waits.indexOf(0), chosen = byCost[k];
      order.push(chosen);
      byCost.forEach((i, m) => { if (edge(i, chosen)) waits[m] -= 1; });
      waits[k] = -1;
    }
    return order;
  }

  // Who stands where and why, in the words of the package.
  class Standing {
    constructor(data, setting) {
      Object.assign(this, decisions(data, setting), { data, setting, words: data.words, longest: 40, most: 3 });
      this.order = multitest(this);
      this.place = Array(this.count);
      this.order.forEach((i, k) => { this.place[i] = k + 1; });
    }

    name(i) {
      const full = letters(this.data.algorithms[i]);
      return full.length <= this.longest ? full.join("") : `${full.slice(0, this.longest - 1).join("")}…`;
    }

    list(which) { return listed(which.map((i) => this.name(i)), this.most); }

    costWords(i, j) {
      const word = this.prior[i] < this.prior[j] ? this.words.cheaper : this.words.costlier;
      const [mine, its] = [i, j].map((each) => this.data.unpriced.includes(each));
      if (mine || its) return mine && its ? "both of unknown cost" : `its cost is ${mine ? "unknown" : "known"}`;
      const ratio = this.model.ratios[at(i, j, this.count)];
      return ratio ? `${ratio} ${word}` : word;
    }

    known(i, j) {
      if (this.shown(j, i)) return `${how(this.better(j, i))} ${this.words.better}`;
      if (this.shown(i, j)) return `${how(this.better(i, j))} ${this.words.worse}${this.good(i, j) ? ", but good enough" : ""}`;
      if (this.differ(i, j)) return "different, but neither better in every score";
      return this.good(i, j) ? "good enough" : this.words.open;
    }

    relation(i, j) {
      const costlier = this.prior[i] > this.prior[j];
      if (costlier && !this.shown(j, i)) return `${this.costWords(i, j)}, but ${this.name(j)} is not shown good enough`;
      return `${this.known(i, j)}, ${costlier ? "though " : ""}${this.costWords(i, j)}`;
    }

    // For whom one still waited when the other was placed, in the order of places.
    held(waiting, placed) {
      return this.order.filter((k) => this.moves(waiting, k) && this.prior[k] > this.prior[waiting]
        && this.place[k] > this.place[placed]);
    }

    behind(i, j) {
      if (this.shown(j, i)) return `behind ${this.name(i)}, which is ${how(this.better(j, i))} ${this.words.better}`;
      if (this.prior[i] > this.prior[j]) return `behind ${this.name(i)}: not shown good enough beside it`;
      if (this.good(i, j)) return `behind ${this.name(i)}, which is good enough and ${this.costWords(i, j)}`;
      return `behind ${this.name(i)}: ${this.known(j, i)}, ${this.costWords(j, i)}`;
    }

    text(i, ahead, behind) {
      const k = this.place[i] - 1, after = this.order.slice(k + 1, k + 2), before = this.order.slice(Math.max(k - 1, 0), k);
      const passed = ahead.filter((j) => this.shown(j, i)), lost = behind.filter((j) => this.shown(i, j));
      const waiting = ahead.filter((j) => !this.moves(j, i));
      const parts = after.map((j) => `before ${this.name(j)}: ${this.relation(i, j)}`);
      before.forEach((j) => parts.push(this.behind(j, i)));
      if (waiting.length && !passed.length && !lost.length) {
        const waits = waiting.length > 1 ? "which tests hold back" : `which waits behind ${this.list(this.held(waiting[0], i))}`;
        parts.push(`before ${this.list(waiting)}, ${waits}`);
      }
      if (passed.length && !passed.some((j) => after.includes(j)))
        parts.push(`${this.words.costlier} than ${this.list(passed)}, but ${how(passed.every((j) => this.better(j, i)))} ${this.words.better}`);
      if (lost.length && !lost.some((j) => before.includes(j)))
        parts.push(`${how(lost.every((j) => this.better(i, j)))} ${this.words.worse} than ${this.list(lost)}`);
      return parts.join("; ");
    }

    // The reason of one place: {by, text}.
    reason(i) {
      const ahead = this.order.filter((j) => this.prior[j] < this.prior[i] && this.place[j] > this.place[i]);
      const behind = this.order.filter((j) => this.prior[j] > this.prior[i] && this.place[j] < this.place[i]);
      let said = "";
      for ([this.longest, this.most] of ROOMS) {
        said = this.text(i, ahead, behind);
        if (letters(said).length <= LONGEST_TEXT) break;
      }
      [this.longest, this.most] = ROOMS[0];
      return { by: ahead.length || behind.length ? "test" : "cost", text: said };
    }

    // The verdict on a pair: better, good enough or undecided, of the cheaper one beside the costlier.
    verdict(i, j) {
      const [cheap, dear] = this.prior[i] < this.prior[j] ? [i, j] : [j, i];
      if (this.shown(dear, cheap) || this.good(cheap, dear)) return "good enough";
      return this.shown(cheap, dear) ? "better" : "undecided";
    }

    stands(i, j) {
      const [first, second] = this.place[i] < this.place[j] ? [i, j] : [j, i], x = this.name(first), y = this.name(second);
      if (this.prior[first] < this.prior[second] || this.moves(second, first))
        return `${x} stands before ${y}: ${this.relation(first, second)}.`;
      const held = this.held(second, first), cost = this.costWords(first, second);
      const sure = how(held.every((k) => this.better(second, k)));
      const why = held.every((k) => this.shown(second, k)) ? `, ${sure} ${this.words.better} than it,` : "";
      const known = this.differ(first, second) || this.shown(first, second) || this.shown(second, first);
      const odd = known ? `it is ${this.known(first, second)} and ${cost}` : `no test tells them apart and it is ${cost}`;
      return `${x} stands before ${y}, although ${odd}: ${y} waits behind ${this.list(held)}${why} and ${x} comes before`
        + ` ${held.length === 1 ? "that" : "those"}.`;
    }

    tested(i, j) {
      if (this.model.what === null) return "No test was made.";
      const pair = at(i, j, this.count);
      return `The test ${this.model.what}: ${is(this.model.p[pair])}, corrected ${is(this.model.adjusted[pair])}.`;
    }

    difference(i, j) {
      if (!this.data.differences.length) return [];
      const [low, high] = i < j ? [i, j] : [j, i];
      const code = this.data.differences[at(i, j, this.count)], [size, ...ends] = code.slice(1).split(" ");
      const sure = this.data.confidence, minus = (x) => (x === "0" ? x : x.startsWith("-") ? x.slice(1) : `-${x}`);
      let [ahead, back] = code[0] === ">" ? [high, low] : [low, high];
      if (code[0] === "=" && this.place[low] > this.place[high]) {
        [ahead, back] = [high, low];
        ends.reverse().forEach((end, k) => { ends[k] = minus(end); });
      }
      const x = this.name(ahead), y = this.name(back);
      let span = ends.length ? ` (from ${ends[0]} to ${ends[1]} ${sure})` : "";
      if (code[0] !== "=") return [`${x} scores better than ${y} by an estimated ${size} in ${this.data.score}${span}.`];
      if (span && ends[0].startsWith("-") && ends[1] !== "0" && !ends[1].startsWith("-"))
        span = ` (from ${minus(ends[0])} in favour of ${y} to ${ends[1]} in favour of ${x} ${sure})`;
      return [`The estimated difference in ${this.data.score} is 0${span}.`];
    }

    judged(i, j) {
      if (!this.margin) return [];
      const margin = `${this.data.margins[this.setting.margin]} ${this.data.unit}`.trim();
      const [cheap, dear] = this.prior[i] < this.prior[j] ? [i, j] : [j, i], x = this.name(cheap), y = this.name(dear);
      if (this.shown(dear, cheap)) return [];
      if (this.good(cheap, dear)) return [`${x} is shown to be worse than ${y} by less than ${margin}, if at all: good enough.`];
      if (this.shown(cheap, dear)) return [`${y} is ${how(this.better(cheap, dear))} better, and ${x} is not shown to be within ${margin} of it.`];
      return [`Undecided: neither is ${y} significantly better, nor ${x} shown to be within ${margin} of it.`];
    }

    // The p-value with the comparisons of one counted, where only that tells the two apart.
    own(i, j) {
      const told = [[i, j], [j, i]].find(([one, other]) => this.shown(one, other) && !this.better(one, other));
      if (!told) return [];
      return [`With the ${this.count - 1} comparisons of ${this.name(told[0])} alone counted ${is(this.model.own_p[at(i, j, this.count)])}.`];
    }

    firm(i, j) {
      const firm = this.data.firm;
      if (!firm || !this.asReported()) return [];
      const [first, second] = this.place[i] < this.place[j] ? [i, j] : [j, i];
      const share = firm.before[at(i, j, this.count)];
      return [`${this.name(first)} stands before ${this.name(second)} in ${share} of ${firm.repetitions} resamples.`];
    }

    // Whether this is the setting of the report itself, the only one that was resampled.
    asReported() {
      const { level, margin, undecided } = this.setting, own = this.data;
      return level === own.level && margin === own.margin && (margin === null || undecided === own.undecided);
    }

    // What `tiebreak order --explain A,B` prints.
    explain(i, j) {
      const gate = `The omnibus test does not reject, so ${this.words.prior} decides every place.`;
      return [this.stands(i, j), ...(this.model.gated ? [gate] : []), this.tested(i, j), ...this.own(i, j), ...this.difference(i, j),
        ...this.judged(i, j), ...this.firm(i, j)].join(" ");
    }
  }

  // A3R: accuracy traded for cost at AccD; `rates` and `logs` are mean logarithms of success rates and of costs.
  // Ties, within rounding, go by mean success rate and then by name, as in rank_by_a3r.
  function exchange(data, accd) {
    const power = Math.log10(1 + accd), count = data.names.length;
    const value = range(count).map((i) => data.rates[i] - power * data.logs[i]);
    const middle = value.reduce((sum, each) => sum + Math.exp(-each), 0) / count;
    const loss = value.map((each) => -Math.exp(each) * middle);
    const sorted = range(count).sort((i, j) => loss[i] - loss[j]);
    const snapped = Array(count);
    sorted.forEach((i, k) => {
      const last = sorted[k - 1], near = 1e-13 * Math.max(Math.abs(loss[i]), k ? Math.abs(loss[last]) : 0);
      snapped[i] = k && loss[i] - loss[last] <= near ? snapped[last] : loss[i];
    });
    const before = (x, y) => (x < y ? -1 : x > y ? 1 : 0);
    return sorted.sort((i, j) => snapped[i] - snapped[j] || data.success[j] - data.success[i]
      || before(data.byName[i], data.byName[j]));
  }

  return { Standing, exchange };
})();
if (typeof module !== "undefined") module.exports = Tiebreak;
