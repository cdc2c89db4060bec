/** A bundle that was bought before. Every list of such bundles is sorted, newest first. */
interface Bought {
  bundleId: number
  network: string
  volume: string
}

export interface UsualBundle extends Bought {
  times: number
}

/**
 * The distinct bundles, most often bought first. If two were bought equally often, the one bought more recently comes
 * first.
 */
export const usualBundles = (bought: readonly Bought[]): UsualBundle[] => {
  const usual = new Map<number, UsualBundle>()
  for (const { bundleId, network, volume } of bought) {
    const known = usual.get(bundleId)
    if (known) known.times += 1
    else usual.set(bundleId, { bundleId, network, volume, times: 1 })
  }
  return [...usual.values()].sort((a, b) => b.times - a.times)
}

/** An order counts half as much if there are this many newer orders. */
const halfAfter = 10

/** The distinct numbers, sorted by how often and how recently they were ordered for. Older orders count less. */
export const regulars = <Number extends string>(newestFirst: readonly Number[]): Number[] => {
  const weights = new Map<Number, number>()
  for (const [age, number] of newestFirst.entries()) {
    weights.set(number, (weights.get(number) ?? 0) + halfAfter / (halfAfter + age))
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([number]) => number)
}
