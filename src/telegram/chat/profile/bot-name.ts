import type { Api } from 'grammy'
import { z } from 'zod'
import type { Store } from '../../../store/store.ts'
import { refusalOf } from '../telegram-refusal.ts'

/** The longest name that Telegram accepts, in UTF-16 units. */
export const maxBotNameLength = 64

/** A bot, and the stored facts about the name that an operator chose for it. */
export interface NamedBot {
  api: Pick<Api, 'getMyName' | 'setMyName'>
  botId: number
  facts: Pick<Store['facts'], 'read' | 'write'>
  now: () => Date
}

/** Telegram's answer to a chosen name. */
type Told = z.infer<typeof toldSchema>
const toldSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('published'), name: z.string() }),
  z.object({ kind: z.literal('refused'), name: z.string() }),
  /** Telegram limits how often a name may change. The bot tries again at `until`. */
  z.object({ kind: z.literal('waiting'), name: z.string(), until: z.coerce.date() }),
])

/** Whether Telegram has accepted the chosen name. `left`: no operator has chosen one, so BotFather's name stays. */
export type NameState = Told | { kind: 'left' }

const chosenFact = (botId: number): string => `bot_name:${botId}`
const toldFact = (botId: number): string => `bot_name_told:${botId}`
const isNone = ''

/** Chooses the bot's name. Null leaves the name to BotFather: it stays as it is until it is changed there. */
export const chooseName = async (
  { botId, facts }: Pick<NamedBot, 'botId' | 'facts'>,
  name: string | null,
): Promise<void> => {
  await facts.write(chosenFact(botId), name ?? isNone)
  await facts.write(toldFact(botId), isNone)
}

/**
 * Sets the chosen name at Telegram, for every language that has no name of its own. It makes no call if Telegram has
 * answered for this name already, so a name that is set later at BotFather stays.
 */
export const publishName = async ({ api, botId, facts, now }: NamedBot): Promise<NameState> => {
  const name = (await facts.read(chosenFact(botId))) || null
  if (name === null) return { kind: 'left' }
  const fact = await facts.read(toldFact(botId))
  const told = fact ? toldSchema.parse(JSON.parse(fact)) : null
  const isOver = told?.kind === 'waiting' && told.until <= now()
  if (told?.name === name && !isOver) return told
  const answer = await tell(api, name, now)
  await facts.write(toldFact(botId), JSON.stringify(answer))
  return answer
}

/** When to try again if Telegram did not answer, ms. */
const unansweredMs = 60_000

const tell = async (api: NamedBot['api'], name: string, now: () => Date): Promise<Told> => {
  try {
    const { name: shown } = await api.getMyName()
    if (shown !== name) await api.setMyName(name)
    return { kind: 'published', name }
  } catch (error) {
    const refusal = refusalOf(error)
    const waitMs = refusal.kind === 'flood' ? refusal.retryAfterMs : unansweredMs
    return refusal.kind === 'flood' || refusal.kind === 'unknown'
      ? { kind: 'waiting', name, until: new Date(now().getTime() + waitMs) }
      : { kind: 'refused', name }
  }
}
