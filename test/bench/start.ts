import { buy, connect, delivered, onStage, orderFor, type Stage } from './stage.ts'
import { type Figure, inTurn } from './table.ts'

const runs = 5
const bot = 'src/main.ts'
const emptyBot = 'test/bench/empty-bot.ts'
const against = 'an empty grammY bot'
/** The updates of one journey: `/connect`, the credentials, the order, Confirm. */
const updatesOfJourney = 4

/** How long a start takes, and how much memory the bot uses after a whole purchase. */
export const start = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    // The first start migrates the database and fills the caches, so it is not measured.
    await firstAnswer(stage, bot)
    await firstAnswer(stage, emptyBot)
    return [
      {
        what: 'start → first answer',
        unit: 'ms',
        ...(await inTurn(
          runs,
          () => firstAnswer(stage, bot),
          () => firstAnswer(stage, emptyBot),
        )),
        against,
      },
      {
        what: 'memory after connect, buy, confirm, deliver',
        unit: 'MB',
        ...(await inTurn(
          runs,
          () => memoryAfter(stage, bot, journey),
          () => memoryAfter(stage, emptyBot, someUpdates),
        )),
        against: `${against} after ${updatesOfJourney} updates`,
      },
    ]
  })

const patience = { timeoutMs: 60_000 }

/** Starts the program after somebody has written, and waits for its answer. */
const firstAnswer = async ({ newChat, start }: Stage, file: string): Promise<number> => {
  const chat = newChat()
  chat.say('/help')
  const startedMs = performance.now()
  const program = start(file)
  await chat.waitForText(/./, patience)
  const tookMs = performance.now() - startedMs
  await program.stop()
  return tookMs
}

const memoryAfter = async (
  stage: Stage,
  file: string,
  work: (stage: Stage) => Promise<void>,
): Promise<number> => {
  const program = stage.start(file)
  await work(stage)
  const megabytes = program.residentMb()
  await program.stop()
  return megabytes
}

const journey = async (stage: Stage): Promise<void> => {
  const contact = await connect(stage)
  const { phone } = await buy(stage, contact)
  stage.provider.setStatus(orderFor(stage, phone).reference, 'delivered')
  await delivered(contact, phone)
}

const someUpdates = async ({ newChat }: Stage): Promise<void> => {
  const chat = newChat()
  for (let update = 0; update < updatesOfJourney; update += 1) {
    const { message_id: after } = chat.say('/help')
    await chat.waitForText(/./, { ...patience, after })
  }
}
