import { type Figure, inTurn, median } from './figure.ts'
import { journey, updatesOfJourney } from './journey.ts'
import { launch, residentMegabytes } from './program.ts'
import { bareBot, bot, createStage, type Stage } from './stage.ts'

const runs = 5
const goal = { under: 140 }

/** What the process holds after a person has connected, bought, confirmed and seen the order delivered. */
export const memory = async (): Promise<Figure[]> => {
  const stage = await createStage()
  const ours = () => residentAfter(stage, bot, () => journey(stage))
  const bare = () => residentAfter(stage, bareBot, () => someUpdates(stage))
  try {
    // The first start migrates the database, which later ones need not.
    await ours()
    await bare()
    const [bots, baselines] = await inTurn(runs, ours, bare)
    return [
      {
        what: 'resident memory after connect, buy, confirm, deliver',
        unit: 'MB',
        bot: median(bots),
        baseline: median(baselines),
        against: `a bare grammY bot after ${updatesOfJourney} updates`,
        goal,
      },
    ]
  } finally {
    await stage.close()
  }
}

const residentAfter = async (stage: Stage, path: string, work: () => Promise<void>): Promise<number> => {
  const program = launch(stage.program(path))
  try {
    await program.until(work())
    return await residentMegabytes(program.pid)
  } finally {
    await program.stop()
  }
}

const someUpdates = async (stage: Stage): Promise<void> => {
  const chat = stage.newChat()
  for (let update = 0; update < updatesOfJourney; update += 1) {
    const { message_id } = chat.say('/help')
    await chat.waitForText(/./, { timeoutMs: 20_000, after: message_id })
  }
}
