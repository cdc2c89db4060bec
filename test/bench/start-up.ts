import { type Figure, inTurn, median, repeats } from './figure.ts'
import { type Launch, launch } from './program.ts'
import { asPackage, bareBot, bot, createStage, npmStart, root, type Stage } from './stage.ts'

const bare = 'a bare grammY bot'
const goal = { under: 1500 }

/** Time from the start of a process to its first `getUpdates`, with a database that has been migrated. */
export const startUp = async (): Promise<Figure[]> => {
  const stage = await createStage()
  try {
    return [
      await compare(
        stage,
        'npm start → first getUpdates',
        npmStart(stage.program(bot), root),
        await asPackage(stage, bareBot),
      ),
      await compare(
        stage,
        'node src/main.ts, same flags → first getUpdates',
        stage.program(bot),
        stage.program(bareBot),
      ),
    ]
  } finally {
    await stage.close()
  }
}

const compare = async (stage: Stage, what: string, ours: Launch, baseline: Launch): Promise<Figure> => {
  await warmUp(stage, ours)
  await warmUp(stage, baseline)
  const [bots, baselines] = await inTurn(
    repeats,
    () => timeToFirstPoll(stage, ours),
    () => timeToFirstPoll(stage, baseline),
  )
  return { what, unit: 'ms', bot: median(bots), baseline: median(baselines), against: bare, goal }
}

/** The first start migrates the database and fills what caches there are; a stop in order leaves them filled. */
const warmUp = async (stage: Stage, start: Launch): Promise<void> => {
  const program = launch(start)
  await program.until(firstPoll(stage))
  await program.stop()
}

const timeToFirstPoll = async (stage: Stage, start: Launch): Promise<number> => {
  const startedAt = performance.now()
  const program = launch(start)
  try {
    await program.until(firstPoll(stage))
    return performance.now() - startedAt
  } finally {
    await program.kill()
  }
}

/** With an update waiting, the first `getUpdates` is answered, and so recorded, as it arrives. */
const firstPoll = async (stage: Stage): Promise<void> => {
  const { telegram } = stage
  const polls = () => telegram.calls('getUpdates').length
  const before = polls()
  stage.newChat().say('/help')
  await telegram.waitFor(() => polls() > before, { timeoutMs: 20_000, message: 'Waiting for getUpdates' })
}
