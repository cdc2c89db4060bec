import { type Exploration, explore } from './explorer.ts'
import { mutations } from './mutations.ts'
import { commandOf } from './options.ts'
import { rules } from './rules.ts'

const help = `npm run explore -- [options]

Tries every sequence of events in a small world: two orders for one number, their POSTs, answers, callbacks, debits and
statuses, a worker and its successor. In each sequence, a given number of faults can happen: an answer is lost or late, a
POST is lost on its way, a process crashes wherever its code waits, a callback is repeated, forged or names another
order's reference, a debit shows up late, a process is suspended, or the clock is changed.

The bot's own rules make the decisions: which placement may follow which, the step after an attempt, whether an order
may be sent, what a debit proves, which debit belongs to which order, how statuses are merged, and when to reconcile.
The rest is a model: the database (guarded updates of plain values), the provider, the network, and what a transaction
does with the rules (\`moves\` names the function that each part stands for).

  --faults N     how many faults can happen in a sequence (1)
  --seconds S    the time limit (120)
  --mutations    remove the bot's rules one at a time, and print the shortest sequence that breaks a promise without it
  --help         show this text

Exits with 1 if a promise was broken or a removed rule was not noticed. Writes nothing but its output.`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const summaryOf = ({ states, moves, depth, isComplete }: Exploration): string =>
  `${states} states, ${moves} moves, ${isComplete ? 'complete' : `complete up to ${depth} moves in a row`}`

const printFault = ({ fault }: Exploration): void => {
  if (fault === null) return
  print(`  BROKEN after ${fault.way.length} moves: ${fault.promise}`)
  for (const [index, name] of fault.way.entries()) print(`  ${String(index + 1).padStart(3)}. ${name}`)
}

/** Begins with small worlds, because a fault that needs only one order has the shortest series of moves there. */
const exploreWith = (faults: number, seconds: number): boolean => {
  const untilMs = performance.now() + seconds * 1_000
  for (const size of sizesUpTo(faults)) {
    const seen = explore({ ...size, untilMs })
    print(`${nameOf(size)}: ${summaryOf(seen)}${seen.fault ? '' : ', no promise broken'}`)
    printFault(seen)
    if (seen.fault) return false
  }
  return true
}

/** A world with one order has fewer states, so it can have one more fault in the same time. */
const sizesUpTo = (faults: number): { orders: number; faults: number }[] => [
  ...Array.from({ length: faults + 2 }, (_, each) => ({ orders: 1, faults: each })),
  ...Array.from({ length: faults + 1 }, (_, each) => ({ orders: 2, faults: each })),
]

const nameOf = ({ orders, faults }: { orders: number; faults: number }): string =>
  `${orders === 1 ? 'one order' : 'two orders'}, ${faults === 1 ? '1 fault' : `${faults} faults`}`

const checkMutations = (seconds: number): boolean => {
  const untilMs = performance.now() + seconds * 1_000
  let all = true
  for (const [name, mutation] of Object.entries(mutations)) {
    const found = shortest({ ...rules, ...mutation }, untilMs)
    print(`without ${name}: ${found ? `noticed with ${nameOf(found)}` : 'NOT noticed'}`)
    if (found) printFault(found)
    all &&= found !== null
  }
  return all
}

const shortest = (mutated: typeof rules, untilMs: number) => {
  for (const size of sizesUpTo(1)) {
    const seen = explore({ ...size, untilMs, rules: mutated })
    if (seen.fault) return { ...seen, ...size }
  }
  return null
}

const command = commandOf(process.argv.slice(2))
switch (command.kind) {
  case 'help':
    print(help)
    break
  case 'mistake':
    process.stderr.write(`${command.sentence}\n`)
    process.exitCode = 2
    break
  case 'mutations':
    if (!checkMutations(command.seconds)) process.exitCode = 1
    break
  case 'explore':
    if (!exploreWith(command.faults, command.seconds)) process.exitCode = 1
}
