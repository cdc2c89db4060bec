/** A bundle that was bought before. Lists of these are newest first. */
interface Bought {
  bundleId: number
  network: string
  volume: string
}

/** A bundle with the number of times that it was bought. */
export interface Usual extends Bought {
  times: number
}

/** The bundles by how often they were bought, the most often first. Among equals, the one bought last comes first. */
export const usualBundles = (bought: readonly Bought[]): Usual[] => {
  const usual = new Map<number, Usual>()
  for (const { bundleId, network, volume } of bought) {
    const known = usual.get(bundleId)
    if (known) known.times += 1
    else usual.set(bundleId, { bundleId, network, volume, times: 1 })
  }
  return [...usual.values()].sort((a, b) => b.times - a.times)
}

/** An order of a number counts half after so many other orders. */
const halfAfter = 10

/** Numbers by how often and how lately they were ordered for, the highest first. Older orders count less. */
export const regulars = <Number extends string>(newestFirst: readonly Number[]): Number[] => {
  const weights = new Map<Number, number>()
  for (const [age, number] of newestFirst.entries()) {
    weights.set(number, (weights.get(number) ?? 0) + halfAfter / (halfAfter + age))
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([number]) => number)
}
