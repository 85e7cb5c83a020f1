// Python in a worker: Pyodide from the folder beside the page, numpy and scipy, and the package from its archive.
import { loadPyodide } from "../pyodide/pyodide.mjs";

const home = new URL("../pyodide/", import.meta.url).href, NEEDED = ["numpy", "scipy"];

const started = (async () => {
  const python = await loadPyodide({ indexURL: home, packageBaseUrl: home });  // what is missing there is not asked for elsewhere
  await python.loadPackage(NEEDED, { messageCallback: () => {}, errorCallback: () => {} });
  const lacking = NEEDED.filter(name => !(name in python.loadedPackages));
  if (lacking.length) throw new Error(`${lacking.join(" and ")} not found in the folder pyodide beside this page. The release of Pyodide that is called full has them.`);
  const archive = await fetch(new URL("../tiebreak.zip", import.meta.url));
  python.unpackArchive(await archive.arrayBuffer(), "zip");
  return [python, python.pyimport("tiebreak.web.alone").answer_json];
})();

self.addEventListener("message", async ({ data: { id, verb, body, files } }) => {
  try {
    const [python, answer] = await started;
    const held = python.toPy(new Map(files.map(([key, name, bytes]) => [key, [name, bytes]])));
    const given = python.runPython("lambda held: {key: (name, bytes(data)) for key, (name, data) in held.items()}")(held);
    self.postMessage({ id, found: JSON.parse(answer(verb, JSON.stringify(body), given)) });
  } catch (error) { self.postMessage({ id, error: String(error.message ?? error).trim().split("\n").at(-1) }); }
});
