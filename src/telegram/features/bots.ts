import { isChatId } from '../buttons/fields.ts'
import type { Admission, Bots, SeenBot } from '../chat/bots.ts'
import { askNext, type BotContext, forgetQuestion, type OperatorAsk } from '../chat/context.ts'
import { areOffered, learnRight, mayManage, offer } from '../chat/own-bots.ts'
import type { ActPresses } from '../chat/press.ts'
import { oweRemoval } from '../chat/removal.ts'
import { askingFor, type Key, link, type Screen } from '../chat/screen.ts'
import type { Services } from '../chat/services.ts'
import * as words from '../texts/bots.ts'
import { hints } from '../texts/hints.ts'
import { labels } from '../texts/labels.ts'
import { operatorKey, overviewKey, pageOf, pagingKeys, perPage } from './operator-keys.ts'

/** The bots beside the main one. An added bot has no such screens. */

const { botLabels } = words

/** Leads to the bots; nowhere in an added bot. */
export const botsKeys = ({ bots }: Services): Key[] =>
  bots ? [operatorKey(botLabels.bots, { act: 'bots', page: 0 })] : []

/** Adding and keeping bots, among operators' actions. */
export const acts = {
  bots: async (ctx, services, { page }) => {
    await forgetQuestion(ctx, services)
    await showBots(ctx, services, page)
  },
  bots_made: async (ctx, services, { areMade }) => {
    if (!mayManage(ctx, services)) return showBots(ctx, services, 0)
    await offer(services, areMade)
    const kind = areMade ? 'own_bots_on' : 'own_bots_off'
    await services.security.note({ kind, accountId: null, userId: ctx.from?.id ?? null })
    ctx.talk.toast(areMade ? words.madeNow : words.notMadeNow)
    await showBots(ctx, services, 0)
  },
  bot: async (ctx, services, { id }) => {
    await forgetQuestion(ctx, services)
    await showBot(ctx, services, id)
  },
  bot_add: (ctx, services) =>
    services.bots?.isPossible ? askToken(ctx, null, words.askToken) : gone(ctx, services),
  bot_token: (ctx, services, { id }) =>
    withBot(ctx, services, id, ({ username }) => askToken(ctx, id, words.askNewToken(username))),
  bot_stop: (ctx, services, { id }) =>
    change(ctx, services, id, words.stoppedNow, (bots) => bots.halt(id, 'operator')),
  bot_start: (ctx, services, { id }) => change(ctx, services, id, words.startedNow, (bots) => bots.run(id)),
  bot_owner: (ctx, services, { id }) =>
    withBot(ctx, services, id, () => ask(ctx, { about: 'bot_owner', id }, words.askOwner)),
  bot_disown: (ctx, services, { id, userId }) =>
    change(ctx, services, id, words.ownerRemoved, (bots) => bots.setOwner(id, userId, false)),
  bot_remove: (ctx, services, { id }) =>
    withBot(ctx, services, id, async ({ username }) =>
      ctx.talk.show({
        text: words.askRemove(username),
        rows: [
          [
            operatorKey(botLabels.removeSure, { act: 'bot_remove_sure', id }),
            operatorKey(labels.cancel, { act: 'bot', id }),
          ],
        ],
      }),
    ),
  bot_remove_sure: (ctx, services, { id }) => remove(ctx, services, id),
} satisfies Partial<ActPresses<'operator'>>

type BotAsk = Extract<OperatorAsk, { id: number | null }>

/** Takes the answer to a question about a bot. A token's message is deleted first. */
export const takeAnswer = async (
  ctx: BotContext,
  services: Services,
  question: BotAsk,
  text: string,
): Promise<void> => {
  switch (question.about) {
    case 'bot_token':
      return takeToken(ctx, services, question.id, text)
    case 'bot_owner':
      return takeOwner(ctx, services, question.id, text)
  }
}

const takeToken = async (
  ctx: BotContext,
  services: Services,
  id: number | null,
  text: string,
): Promise<void> => {
  const { bots } = services
  const remove = await oweRemoval(ctx, services)
  const [token] = /\d{5,15}:[\w-]{20,}/.exec(text) ?? []
  if (token) await forgetQuestion(ctx, services)
  ctx.talk.aside(async () => {
    await remove()
    if (!bots || !token) return ctx.talk.say(words.notAToken)
    const admission = await (id === null ? bots.add(token, []) : bots.renew(id, token))
    await noteAdmission(ctx, services, admission)
    ctx.talk.say(answerTo(admission))
  })
}

const noteAdmission = async (ctx: BotContext, { security }: Services, { kind }: Admission): Promise<void> => {
  if (kind !== 'added' && kind !== 'renewed') return
  const event = kind === 'added' ? 'bot_added' : 'bot_token_changed'
  await security.note({ kind: event, accountId: null, userId: ctx.from?.id ?? null })
}

const answerTo = (admission: Admission): Screen => {
  const again = [[operatorKey(labels.back, { act: 'bots', page: 0 })]]
  switch (admission.kind) {
    case 'added':
      return { text: words.added(admission.bot.username), rows: rowsOf(admission.bot) }
    case 'renewed':
      return { text: words.renewed(admission.bot.username), rows: rowsOf(admission.bot) }
    case 'known':
      return { text: words.isKnown(admission.bot.username), rows: rowsOf(admission.bot) }
    case 'other':
      return { text: words.isOther(admission.username), rows: again }
    case 'malformed':
      return { text: words.notAToken, rows: again }
    case 'main':
      return { text: words.isMain, rows: again }
    case 'refused':
      return { text: words.isRefused, rows: again }
    case 'unreachable':
      return { text: words.isUnreachable, rows: again }
  }
}

const takeOwner = async (ctx: BotContext, services: Services, id: number, text: string): Promise<void> => {
  const typed = text.trim()
  if (!isChatId(typed) || Number(typed) <= 0) return ctx.talk.say(askingFor(hints.userId, words.notAnOwner))
  await forgetQuestion(ctx, services)
  await change(ctx, services, id, words.ownerAdded, (bots) => bots.setOwner(id, Number(typed), true))
}

const askToken = (ctx: BotContext, id: number | null, text: string): Promise<void> =>
  ask(ctx, { about: 'bot_token', id }, text)

const ask = async (ctx: BotContext, question: BotAsk, text: string): Promise<void> => {
  await askNext(ctx, { what: 'operator', ask: question })
  const { id } = question
  const back = id === null ? ({ act: 'bots', page: 0 } as const) : ({ act: 'bot', id } as const)
  ctx.talk.show({ text, rows: [[operatorKey(labels.leave, back)]] })
}

const gone = async (ctx: BotContext, services: Services): Promise<void> => {
  ctx.talk.toast(words.noSuchBot)
  await showBots(ctx, services, 0)
}

const withBot = async (
  ctx: BotContext,
  services: Services,
  id: number,
  work: (bot: SeenBot) => Promise<void>,
): Promise<void> => {
  const bot = await services.bots?.byId(id)
  return bot ? work(bot) : gone(ctx, services)
}

/** The change is made after the handler, because a bot takes a while to start or to stop. */
const change = async (
  ctx: BotContext,
  services: Services,
  id: number,
  said: string,
  work: (bots: Bots) => Promise<boolean>,
): Promise<void> => {
  const { bots } = services
  if (!bots || !(await bots.byId(id))) return gone(ctx, services)
  ctx.talk.toast(said)
  ctx.talk.aside(async () => {
    await work(bots)
    await showBot(ctx, services, id)
  })
}

const remove = async (ctx: BotContext, services: Services, id: number): Promise<void> => {
  const { bots, security } = services
  const bot = await bots?.byId(id)
  if (!bots || !bot) return gone(ctx, services)
  ctx.talk.aside(async () => {
    const path = await bots.remove(id)
    if (path === null) return gone(ctx, services)
    await security.note({ kind: 'bot_removed', accountId: null, userId: ctx.from?.id ?? null })
    ctx.talk.show({
      text: words.removed(bot.username, path),
      rows: [[operatorKey(botLabels.all, { act: 'bots', page: 0 })]],
    })
  })
}

const showBot = (ctx: BotContext, services: Services, id: number): Promise<void> =>
  withBot(ctx, services, id, async (bot) => ctx.talk.show({ text: words.bot(bot), rows: rowsOf(bot) }))

const rowsOf = ({ id, username, ownerIds, state }: SeenBot): Key[][] => [
  [
    link(words.openLabel(username), `https://t.me/${username}`),
    state === 'running' || state === 'starting' || state === 'failed'
      ? operatorKey(botLabels.stop, { act: 'bot_stop', id })
      : operatorKey(botLabels.start, { act: 'bot_start', id }),
  ],
  [operatorKey(botLabels.owners, { act: 'bot_owner', id })],
  ...ownerIds.map((userId) => [operatorKey(words.disownLabel(userId), { act: 'bot_disown', id, userId })]),
  [
    operatorKey(botLabels.newToken, { act: 'bot_token', id }),
    operatorKey(botLabels.remove, { act: 'bot_remove', id }),
  ],
  [operatorKey(labels.refresh, { act: 'bot', id }), operatorKey(botLabels.all, { act: 'bots', page: 0 })],
]

const showBots = async (ctx: BotContext, services: Services, page: number): Promise<void> => {
  await learnRight(ctx)
  ctx.talk.show(await botsScreen(ctx, services, page))
}

const botsScreen = async (ctx: BotContext, services: Services, page: number): Promise<Screen> => {
  const { bots } = services
  if (!bots?.isPossible) return { text: words.inMemory, rows: [[overviewKey]] }
  const first = page * perPage
  const found = (await bots.all()).slice(first, first + perPage + 1)
  const shown = pageOf(found)
  const areMade = mayManage(ctx, services) ? await areOffered(ctx, services) : null
  return {
    text: words.bots(shown, page, first, areMade),
    rows: [
      ...shown.map(({ id, username }) => [operatorKey(words.openLabel(username), { act: 'bot', id })]),
      pagingKeys(page, found, (to) => ({ act: 'bots', page: to })),
      areMade === null
        ? []
        : [
            operatorKey(areMade ? botLabels.stopMaking : botLabels.letMake, {
              act: 'bots_made',
              areMade: !areMade,
            }),
          ],
      [operatorKey(botLabels.add, { act: 'bot_add' }), overviewKey],
    ],
  }
}
