/**
 * Preloaded by `NODE_OPTIONS=--import`. When the process ends, prints the names of the properties that were added to
 * the shared prototypes since the start.
 */
const shared = {
  Object: Object.prototype,
  Array: Array.prototype,
  Function: Function.prototype,
  String: String.prototype,
}

const namesOf = (): string[] =>
  Object.entries(shared).flatMap(([name, prototype]) =>
    Reflect.ownKeys(prototype).map((key) => `${name}.${String(key)}`),
  )

const before = new Set(namesOf())

process.on('exit', () => {
  const added = namesOf().filter((name) => !before.has(name))
  process.stdout.write(`${JSON.stringify({ prototypes: added })}\n`)
})
