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
import type { Services } from '../../chat/services.ts'
import { hints } from '../../words/hints.ts'
import * as words from './bot-name-words.ts'
import { noteAct } from './note-act.ts'
import { operatorButton, overviewButton } from './operator-buttons.ts'

/** The name that an operator chooses for the bot: see `chat/profile/bot-name.ts`. */

/** What operators' buttons do about the bot's name. */
export const acts = {
  bot_name: (ctx, services) => askName(ctx, services),
  bot_name_left: async (ctx, services) => {
    await choose(ctx, services, null)
    ctx.talk.toast(words.botNameLeft)
    await askName(ctx, services)
  },
} satisfies Partial<ActHandlers<'operator'>>

const askName = async (ctx: BotContext, services: Services): Promise<void> => {
  await askNext(ctx, { what: 'operator', ask: { about: 'bot_name' } })
  ctx.talk.show(() => nameScreen(namedBot(ctx, services)))
}

export const takeName = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const name = oneLine(text, text.length)
  if (name.length > maxBotNameLength)
    return ctx.talk.say(askingFor(hints.botName, words.botNameTooLong(name.length, maxBotNameLength)))
  if (!/[\p{L}\p{N}]/u.test(name)) return ctx.talk.say(askingFor(hints.botName, words.botNameEmpty))
  await forgetQuestion(ctx, services)
  await choose(ctx, services, name)
  ctx.talk.say(async () => {
    const standing = await publishName(namedBot(ctx, services))
    return {
      text: words.botNameChosen(standing, services.now()),
      rows: [[operatorButton(words.botNameLabels.name, { act: 'bot_name' }), overviewButton]],
    }
  })
}

const choose = async (ctx: BotContext, services: Services, name: string | null): Promise<void> => {
  await chooseName(namedBot(ctx, services), name)
  services.log.warn(name === null ? 'the bot’s name is left to BotFather' : 'an operator named the bot')
  await noteAct(ctx, services, 'bot_named')
}

const namedBot = (ctx: BotContext, { store, now }: Services): NamedBot => ({
  api: ctx.api,
  botId: ctx.me.id,
  facts: store.facts,
  now,
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
