// The first page: whatever is dropped goes to the page of comparisons, which says what it is and where it belongs.
import { Refused, uploaded } from "./ask.js";
import { at, say, taking } from "./dom.js";
import { tell, untell } from "./problem.js";

taking(async files => {
  untell(at("problem"));
  say("Taking it in ...", true);
  try {
    location.assign(`/compare?${new URLSearchParams((await uploaded(files)).map(key => ["file", key]))}#h-answer`);
  } catch (error) { if (!(error instanceof Refused)) throw error; say(""); tell(at("problem"), error); }
});
