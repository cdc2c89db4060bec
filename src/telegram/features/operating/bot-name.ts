import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import type { ActHandlers } from '../../chat/handler.ts'
import {
  chooseName,
  maxBotNameLength,
  type NamedBot,
  type NameState,
  publishName,
} from '../../chat/profile/bot-name.ts'
import { askingFor, oneLine, type Screen } from '../../chat/screen.ts'
import { hints } from '../../words/hints.ts'
import * as words from './bot-name-words.ts'
import { noteAct } from './note-act.ts'
import { operatorButton, overviewButton } from './operator-buttons.ts'

/** The name that an operator chooses for the bot: see `chat/profile/bot-name.ts`. */

/** What operators' buttons do about the bot's name. */
export const acts = {
  bot_name: (ctx) => askName(ctx),
  bot_name_left: async (ctx) => {
    await choose(ctx, null)
    ctx.talk.toast(words.botNameLeft)
    await askName(ctx)
  },
} satisfies Partial<ActHandlers<'operator'>>

const askName = async (ctx: BotContext): Promise<void> => {
  await askNext(ctx, { what: 'operator', ask: { about: 'bot_name' } })
  ctx.talk.show(() => nameScreen(namedBot(ctx)))
}

export const takeName = async (ctx: BotContext, text: string): Promise<void> => {
  const name = oneLine(text, text.length)
  if (name.length > maxBotNameLength)
    return ctx.talk.say(askingFor(hints.botName, words.botNameTooLong(name.length, maxBotNameLength)))
  if (!/[\p{L}\p{N}]/u.test(name)) return ctx.talk.say(askingFor(hints.botName, words.botNameEmpty))
  await forgetQuestion(ctx)
  await choose(ctx, name)
  ctx.talk.say(async () => {
    const standing = await publishName(namedBot(ctx))
    return {
      text: words.botNameChosen(standing, ctx.services.now()),
      rows: [[operatorButton(words.botNameLabels.name, { act: 'bot_name' }), overviewButton]],
    }
  })
}

const choose = async (ctx: BotContext, name: string | null): Promise<void> => {
  await chooseName(namedBot(ctx), name)
  ctx.services.log.warn(
    name === null ? 'an operator left the bot’s name to BotFather' : 'an operator named the bot',
  )
  await noteAct(ctx, 'bot_named')
}

const namedBot = (ctx: BotContext): NamedBot => ({
  api: ctx.api,
  botId: ctx.me.id,
  facts: ctx.services.store.facts,
  now: ctx.services.now,
})

/** The screen with the name that Telegram shows, and the name that was chosen. */
const nameScreen = async (bot: NamedBot): Promise<Screen> => {
  const standing: NameState = await publishName(bot)
  const shown = await bot.api.getMyName().then(
    ({ name }) => name,
    () => null,
  )
  return {
    text: words.askBotName(shown, standing, { most: maxBotNameLength, now: bot.now() }),
    rows: [
      standing.kind === 'left' ? [] : [operatorButton(words.botNameLabels.leave, { act: 'bot_name_left' })],
      [overviewButton],
    ],
  }
}
