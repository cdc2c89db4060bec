/** What was bought before, newest first. */
interface Bought {
  bundleId: number
  network: string
  volume: string
}

export interface Usual extends Bought {
  times: number
}

/** The bundles that were bought most often; of those bought as often the one that was bought last. */
export const usualBundles = (bought: readonly Bought[]): Usual[] => {
  const usual = new Map<number, Usual>()
  for (const { bundleId, network, volume } of bought) {
    const known = usual.get(bundleId)
    if (known) known.times += 1
    else usual.set(bundleId, { bundleId, network, volume, times: 1 })
  }
  return [...usual.values()].sort((a, b) => b.times - a.times)
}

/** A number's order counts half after so many others. */
const halfAfter = 10

/** Numbers that were ordered for often and lately: each order counts the less the longer ago it is. */
export const regulars = <Number extends string>(newestFirst: readonly Number[]): Number[] => {
  const weights = new Map<Number, number>()
  for (const [age, number] of newestFirst.entries()) {
    weights.set(number, (weights.get(number) ?? 0) + halfAfter / (halfAfter + age))
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([number]) => number)
}
