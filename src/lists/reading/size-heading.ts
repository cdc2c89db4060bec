import type { Problem } from '../reading-result.ts'
import type { BlockLine, Entry } from './entry.ts'
import type { SizeItem } from './grammar/item.ts'

/** The headings that apply at one place of the list. */
interface Context {
  size: SizeItem | null
  /** The size together with the price next to it, if there is one. */
  sizes: readonly SizeItem[]
  /** The line that gave the size. */
  heading: BlockLine | null
  problems: readonly Problem[]
  /**
   * The kind of the outer heading, which is the one that came first. The next heading of that kind ends the inner
   * one.
   */
  outer: 'size' | 'network' | null
  isLost: boolean
  /** Entries that have no size yet. A later size for all is given to them. */
  missing: Entry[]
  /** A size for all that no entry has been given yet. */
  offered: BlockLine | null
}

/**
 * Gives a size to each phone of a block that has none: from the line below or above, from a heading, or from a size
 * for all. If a size may be for one phone or for several, no phone gets it, and the person has to correct the lines.
 */
export const readSizes = (block: readonly BlockLine[]): void => {
  const isLost = block[0]?.line.lost?.size ?? false
  const context: Context = {
    size: null,
    sizes: [],
    heading: null,
    problems: [],
    outer: null,
    isLost,
    missing: [],
    offered: null,
  }
  let at = 0
  while (at < block.length) {
    const end = segmentEnd(block, at)
    if (end > at) readSegment(block.slice(at, end), block[end]?.line.written.kind === 'network', context)
    else readOther(block[at], context)
    at = Math.max(end, at + 1)
  }
  if (context.offered) context.offered.use = 'none'
}

const isNumbers = (step: BlockLine | undefined): boolean => step?.line.written.kind === 'numbers'
const isSize = (step: BlockLine | undefined): boolean => step?.line.written.kind === 'size'

/** The end of a run of phones and sizes. A network may be between a phone and its size. */
const segmentEnd = (block: readonly BlockLine[], from: number): number => {
  let at = from
  for (;;) {
    const isBetween =
      block[at]?.line.written.kind === 'network' &&
      isNumbers(block[at - 1]) &&
      isSize(block[at + 1]) &&
      at > from
    if (!isNumbers(block[at]) && !isSize(block[at]) && !isBetween) return at
    at += 1
  }
}

const readOther = (step: BlockLine | undefined, context: Context): void => {
  if (step?.line.written.kind === 'network') {
    if (context.outer === 'network') forget(context)
    context.outer ??= 'network'
  }
  if (step?.line.written.kind === 'share') share(step, context)
}

const forget = (context: Context): void => {
  context.size = null
  context.problems = []
}

/**
 * Reads a size for all, such as `all 5gb`. It is for the entries above that have no size; if there are none, for the
 * entries below.
 */
const share = (step: BlockLine, context: Context): void => {
  const above = context.missing
  const outer = context.outer
  setHeading(step, context)
  if (above.length === 0) {
    context.offered = step
    return
  }
  context.missing = []
  for (const entry of above) give(entry, context)
  for (const entry of above) for (const pair of entry.pairs) pair.network ??= step.line.written.network
  forget(context)
  context.outer = outer
}

const setHeading = (step: BlockLine, context: Context): void => {
  const { size, sizes, problems, network } = step.line.written
  if (context.offered) context.offered.use = 'none'
  context.offered = null
  step.use = 'heading'
  context.size = size
  context.heading = step
  context.sizes = sizes
  // Whether `5GB x 3` means 5GB for each phone is asked once, for all of them.
  context.problems = size?.doubt === 'times' ? [] : problems
  context.isLost = false
  context.outer = network ? 'network' : (context.outer ?? 'size')
}

const give = (entry: Entry, context: Context): void => {
  const { size, problems, isLost, missing } = context
  if (problems.length > 0) entry.problems = [...entry.problems, ...problems]
  for (const pair of entry.pairs) {
    if (pair.sizes.length > 0) continue
    if (size) {
      pair.sizes = context.sizes
      if (context.heading) context.heading.serves = true
      context.offered = null
    } else pair.headingLost ||= isLost
  }
  if (!size) missing.push(entry)
}

const readSegment = (segment: readonly BlockLine[], beforeNetwork: boolean, context: Context): void => {
  if (isSize(segment[0]) || context.size) readUnder(segment, beforeNetwork, context)
  else readPairs(segment, beforeNetwork, context)
}

/** Reads phones that each have their size on the line below. */
const readPairs = (segment: readonly BlockLine[], beforeNetwork: boolean, context: Context): void => {
  let run: BlockLine[] = []
  for (let index = 0; index < segment.length; index += 1) {
    const step = segment[index]
    if (!step) continue
    if (isNumbers(step)) run.push(step)
    if (!isSize(step)) continue
    if (step.line.written.hasColon) {
      leave(run, context)
      readUnder(segment.slice(index), beforeNetwork, context)
      return
    }
    const [first] = run
    if (run.length === 1 && first?.line.written.phones === 1) join(first, step, segment[index - 1])
    else {
      step.use = 'none'
      leave(run, context)
    }
    run = []
  }
  leave(run, context)
}

const leave = (run: readonly BlockLine[], context: Context): void => {
  for (const { entry } of run) if (entry) give(entry, context)
}

/** Makes the line with the size, and a network's line in between, part of the entry. */
const join = ({ entry }: BlockLine, sizeStep: BlockLine, between: BlockLine | undefined): void => {
  if (!entry) return
  const parts = between?.line.written.kind === 'network' ? [between, sizeStep] : [sizeStep]
  for (const part of parts) {
    const { sizes, network, problems } = part.line.written
    part.use = 'part'
    entry.lines.push(part.line.index + 1)
    entry.problems = [...entry.problems, ...problems]
    for (const pair of entry.pairs) {
      if (sizes.length > 0) pair.sizes = [...pair.sizes, ...sizes]
      if (network && pair.network && pair.network.network !== network.network)
        entry.problems = [
          ...entry.problems,
          { code: 'two_networks', networks: [pair.network.network, network.network] },
        ]
      pair.network ??= network
    }
  }
}

/** Reads a segment in which each heading has its phones below it. */
const readUnder = (segment: readonly BlockLine[], beforeNetwork: boolean, context: Context): void => {
  const steps = segment.filter((step) => isNumbers(step) || isSize(step))
  const isOffset = endsWithSize(steps) && !beforeNetwork
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]
    if (!step) continue
    if (isSize(step)) {
      if (isOffset || isSize(steps[index - 1]) || isSize(steps[index + 1]) || isTooWeak(steps, index)) {
        step.use = 'none'
        forget(context)
      } else setHeading(step, context)
    } else if (step.entry) give(step.entry, isOffset ? { ...context, size: null } : context)
  }
  if (context.size && !context.size.hasUnit && !steps.findLast(isSize)?.line.written.hasColon) forget(context)
}

/**
 * Whether a size follows the last phone. Then each size may be for the phones above it, and a size above the first
 * phone may be for none.
 */
const endsWithSize = (steps: readonly BlockLine[]): boolean =>
  isSize(steps.at(-1)) && steps.some(isNumbers) && !steps.at(-1)?.line.written.hasColon

/**
 * Whether the line is a bare number, such as `5`, that is no heading. It can be the heading of one phone, but not of
 * several.
 */
const isTooWeak = (steps: readonly BlockLine[], at: number): boolean => {
  const { size, hasColon } = steps[at]?.line.written ?? {}
  if (size?.hasUnit || hasColon) return false
  const next = steps[at + 1]
  return !isNumbers(next) || next?.line.written.phones !== 1 || isNumbers(steps[at + 2])
}
