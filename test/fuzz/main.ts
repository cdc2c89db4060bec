import { parseArgs } from 'node:util'
import { attack } from './attack.ts'
import { openButtons } from './buttons.ts'
import { openCallbacks } from './callbacks.ts'
import { openHttp } from './http.ts'
import { fuzzLists } from './lists.ts'
import { print, type Span } from './span.ts'

const help = `npm run fuzz -- [target …] [options]

Damages what comes from outside in ways that nobody thought of, and looks whether it does any harm. Without a target
all of them, one after the other:

  lists      lists in the formats of the tests, with every kind of answer, as parts and with corrections: a reading
             throws nothing, loses no line, and orders for no number that does not stand there; twice the text takes
             about twice the time, up to 4 million characters, and every reading ends within a minute
  http       HTTP requests, in bytes, to a running bot between the simulators: no answer of 500 or above, no
             secret in an answer or in the log, no end, and others are answered meanwhile
  callbacks  bodies of callbacks on the addresses of genuine orders: 200, 400 or 413, and nobody is told that a
             status is true which is not, of another order, or twice
  buttons    data of buttons, pressed by strangers, another shop, an agent, and the owner: each press is answered,
             nothing of the shop is shown to others, and nothing is ordered without a Confirm

  --minutes N  how long each (1)
  --runs N     how many seeds of each at most
  --seed N     the first seed (by the clock); the same seed does the same damage
  --help       this text

Ends with 1 when something was found, and prints the seed of each finding. Databases are written to a folder of its
own, which is removed; nothing else is.`

const targets: Record<string, (span: Span) => Promise<boolean>> = {
  lists: fuzzLists,
  http: (span) => attack('http', openHttp, span),
  callbacks: (span) => attack('callbacks', openCallbacks, span),
  buttons: (span) => attack('buttons', openButtons, span),
}

const numberOf = (name: string, text: string | undefined, usual: number): number => {
  const value = text === undefined ? usual : Number(text)
  if (!(value > 0)) throw new RangeError(`--${name} takes a number above 0.`)
  return value
}

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string' },
      runs: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    print(help)
    return
  }
  const span: Span = {
    first: numberOf('seed', values.seed, (Date.now() % 1_000_000_000) + 1),
    minutes: numberOf('minutes', values.minutes, 1),
    runs: numberOf('runs', values.runs, Number.POSITIVE_INFINITY),
  }
  for (const name of positionals.length > 0 ? positionals : Object.keys(targets)) {
    const run = targets[name]
    if (!run) throw new RangeError(`There is no target ${name}: ${Object.keys(targets).join(', ')}.`)
    if (!(await run(span))) process.exitCode = 1
  }
}

await main()
