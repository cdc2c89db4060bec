import { type Exploration, explore } from './explorer.ts'
import { mutations } from './mutations.ts'
import { commandOf } from './options.ts'
import { rules } from './rules.ts'

const help = `npm run explore -- [options]

Visits every order of events of a small world: two orders for one number, their POSTs, answers, callbacks, debits and
statuses, the worker and its successor. Things go wrong as often as is asked for: a lost or late answer, a POST lost on
its way, a crash wherever the code waits, a callback twice or with another order's reference or a made-up status, a
debit that shows late, a process that stands still, a clock that is set.

What decides is the bot's own: placements and their arrows, the step after an attempt, whether an order may be sent,
what a debit proves, the pairing of debits and orders, the merging of statuses, the times of the reconciling. What is a
model: the database (guarded updates on plain values), the provider, the network, and what a transaction does with
those rules (\`moves\` names the function that each stands for).

  --faults N     how many things go wrong in a run (1)
  --seconds S    the longest time (120)
  --mutations    takes out the bot's rules one by one, and prints the shortest way to what goes wrong without each
  --help         this text

Ends with 1 when a promise was broken, or a mutation was not noticed. Writes nothing but its output.`

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const summaryOf = ({ states, moves, depth, isComplete }: Exploration): string =>
  `${states} states, ${moves} moves, ${isComplete ? 'all there are' : `all within ${depth} moves`}`

const printFault = ({ fault }: Exploration): void => {
  if (fault === null) return
  print(`  ${fault.promise}, after ${fault.way.length} moves:`)
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
  `${orders === 1 ? 'one order' : 'two orders'}, ${faults} faults`

const checkMutations = (seconds: number): boolean => {
  const untilMs = performance.now() + seconds * 1_000
  let all = true
  for (const [name, mutation] of Object.entries(mutations)) {
    const found = shortest({ ...rules, ...mutation }, untilMs)
    print(`without ${name}: ${found ? `noticed with ${nameOf(found)}` : 'not noticed'}`)
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
