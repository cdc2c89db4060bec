import type { BlockLine, Entry } from './entry.ts'
import { isUnsoldNetwork } from './grammar/network-word.ts'
import type { NamedNetwork } from './written-line.ts'

/** Gives a network to each entry of a block that does not name one itself: the network named above or below it. */
export const readNetworks = (block: readonly BlockLine[]): void => {
  const all = block.filter(
    ({ entry, use, line }) => use !== 'part' && (entry?.pairs.length || isHeading(use, line)),
  )
  const steps = all.filter(endsHeading(all))
  const style = styleOf(steps)
  if (style === 'below') readBelow(steps)
  else readAbove(steps, style === 'above', block[0]?.line.lost?.network ?? false)
}

const isHeading = (use: BlockLine['use'], { written }: BlockLine['line']): boolean =>
  written.kind === 'network' || use === 'heading' || (use === 'none' && written.network !== null)

/**
 * A heading without a known network ends the network heading above it. If there is none above, the line counts as
 * small talk, unless it names a network that is not sold here.
 */
const endsHeading = (steps: readonly BlockLine[]) => {
  const named = steps.findIndex(({ line }) => line.written.network !== null && line.written.phones === 0)
  return ({ line }: BlockLine, index: number): boolean =>
    line.written.unknownHeading === null ||
    (named >= 0 && index > named) ||
    isUnsold(line.written.unknownHeading)
}

const isUnsold = (heading: string): boolean => isUnsoldNetwork(/\p{L}+/u.exec(heading)?.[0] ?? '')

/**
 * `above`: the block begins with a network. `below`: each entry is followed by its network, as in `number, size,
 * network`. `unclear`: a network may belong to the entries above it or below it.
 */
const styleOf = (steps: readonly BlockLine[]): 'above' | 'below' | 'unclear' => {
  const named = steps.findIndex((step) => step.entry === null && namesNetwork(step))
  const numbered = steps.findIndex(({ entry }) => entry !== null)
  if (named < numbered && named >= 0) return 'above'
  const isBelow = steps.length % 2 === 0 && steps.every((step, index) => isInTurn(step, index % 2 === 0))
  return isBelow ? 'below' : 'unclear'
}

const namesNetwork = ({ line }: BlockLine): boolean =>
  line.written.kind === 'network' || line.written.network !== null

const isInTurn = ({ entry, line }: BlockLine, isEntry: boolean): boolean =>
  isEntry
    ? entry?.pairs.every(({ network }) => network === null) === true
    : line.written.kind === 'network' && line.written.network !== null

const readBelow = (steps: readonly BlockLine[]): void => {
  for (const [index, { line }] of steps.entries()) {
    const above = steps[index - 1]?.entry
    if (index % 2 === 0 || !above) continue
    above.lines.push(line.index + 1)
    const { network } = line.written
    name(above, network && { ...network, isSure: above.pairs.length === 1 })
  }
}

const name = ({ pairs }: Entry, network: NamedNetwork | null): void => {
  for (const pair of pairs) pair.network ??= network
}

const readAbove = (steps: readonly BlockLine[], isSure: boolean, wasLost: boolean): void => {
  let network: NamedNetwork | null = null
  let unknown: string | null = null
  let outer: 'size' | 'network' | null = null
  let isLost = wasLost
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]
    if (!step) continue
    const { line, entry } = step
    if (entry) {
      const below = steps[index + 1]
      for (const pair of entry.pairs) {
        pair.headingLost ||= isLost && pair.network === null
        if (pair.network === null) pair.unknownHeading = unknown
        if (!isSure && below && !below.entry) pair.networkBelow = below.line.written.network
      }
      name(entry, network)
      continue
    }
    if (namesNetwork(step)) {
      network = line.written.network && { ...line.written.network, isSure }
      unknown = line.written.unknownHeading
      outer ??= 'network'
      isLost = false
    } else if (outer === 'size') network = null
    else outer ??= 'size'
  }
}
