/** The seeds to try: from the first on, until the time is over or the number is reached. */
export interface Span {
  first: number
  minutes: number
  runs: number
}

/** Whether the span still holds at a seed, from now on. */
export const until = ({ first, minutes, runs }: Span): ((seed: number) => boolean) => {
  const endsAt = performance.now() + minutes * 60_000
  return (seed) => seed - first < runs && performance.now() < endsAt
}

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
