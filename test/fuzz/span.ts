/** The seeds to try, from `first` on, for so many minutes or so many runs. */
export interface Span {
  first: number
  minutes: number
  runs: number
}

/** Returns a function that says whether a seed is still within the span. The minutes count from now. */
export const until = ({ first, minutes, runs }: Span): ((seed: number) => boolean) => {
  const endsAt = performance.now() + minutes * 60_000
  return (seed) => seed - first < runs && performance.now() < endsAt
}

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
