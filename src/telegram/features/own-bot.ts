import type { ManagedBotCreated } from 'grammy/types'
import { crashPoint } from '../../crash-point.ts'
import type { Person } from '../../orders/purchases.ts'
import { botUsernameFor } from '../../shop/bot-username.ts'
import type { ActOf } from '../buttons/button.ts'
import type { Bots, SeenBot } from '../chat/bots.ts'
import { askNext, type BotContext, endQuestion, forgetQuestion } from '../chat/context.ts'
import { areOffered, learnRight } from '../chat/own-bots.ts'
import { personOf } from '../chat/person.ts'
import type { ActPresses, Press, Presses } from '../chat/press.ts'
import { type Key, key, link } from '../chat/screen.ts'
import type { Services } from '../chat/services.ts'
import { labels } from '../texts/labels.ts'
import * as words from '../texts/own-bot.ts'
import { leave } from './home.ts'

/**
 * A bot of their own, which an owner of an account makes by a key that Telegram knows. The bot is added first and its
 * token is fetched after that, so that no bot is forgotten between the two: see `application/fleet`.
 */

const { ownBotLabels } = words
const ownBotKey = (label: string, act: ActOf<'own_bot'>): Key => key(label, { do: 'own_bot', act })

/** Leads there, for owners who can make a bot or have made one. */
export const ownBotKeys = async (
  ctx: BotContext,
  services: Services,
  { userId, role }: Pick<Person, 'userId'> & { role: Person['role'] | null },
): Promise<Key[]> => {
  const isShown =
    (await services.bots?.madeBy(userId)) || (role === 'owner' && (await areOffered(ctx, services)))
  return isShown ? [ownBotKey(ownBotLabels.ownBot, { act: 'show' })] : []
}

const press = async (ctx: BotContext, services: Services, act: ActOf<'own_bot'>): Promise<void> => {
  await forgetQuestion(ctx, services)
  const answer = acts[act.act] as Press<typeof act>
  await answer(ctx, services, act)
}

const acts: ActPresses<'own_bot'> = {
  show: (ctx, services) => show(ctx, services),
  stop: (ctx, services) =>
    change(ctx, services, words.stoppedNow, async (bots, { id, state }) => {
      if (state !== 'stopped') await bots.halt(id, 'owner')
    }),
  start: (ctx, services) =>
    withOwn(ctx, services, async (bots, { state }) => {
      if (state === 'stopped') return ctx.talk.toast(words.notYoursToStart, true)
      await change(ctx, services, words.startedNow, (_, { id }) => bots.run(id))
    }),
  remove: (ctx, services) =>
    withOwn(ctx, services, async (_, { username }) =>
      ctx.talk.show({
        text: words.askRemove(username),
        rows: [
          [
            ownBotKey(ownBotLabels.removeSure, { act: 'remove_sure' }),
            ownBotKey(labels.cancel, { act: 'show' }),
          ],
        ],
      }),
    ),
  remove_sure: (ctx, services) =>
    withOwn(ctx, services, async (bots, { id, username }) =>
      ctx.talk.aside(async () => {
        await bots.remove(id)
        await services.security.note({ kind: 'bot_removed', accountId: null, userId: ctx.from?.id ?? null })
        ctx.talk.show(words.removed(username))
      }),
    ),
}

const show = async (ctx: BotContext, services: Services): Promise<void> => {
  const bot = ctx.from && (await services.bots?.madeBy(ctx.from.id))
  if (bot) ctx.talk.show({ text: words.ownBot(bot), rows: rowsOf(bot) })
  else await askToMake(ctx, services)
}

const rowsOf = ({ username, state }: SeenBot): Key[][] => [
  [
    link(words.openLabel(username), words.address(username)),
    ...(state === 'stopped'
      ? []
      : [
          state === 'running' || state === 'starting' || state === 'failed'
            ? ownBotKey(ownBotLabels.stop, { act: 'stop' })
            : ownBotKey(ownBotLabels.start, { act: 'start' }),
        ]),
  ],
  [ownBotKey(ownBotLabels.remove, { act: 'remove' }), ownBotKey(labels.refresh, { act: 'show' })],
]

/** Puts up the key that makes a bot. */
const askToMake = async (ctx: BotContext, services: Services): Promise<void> => {
  await learnRight(ctx)
  const person = await personOf(ctx, services)
  const refusal = await refusalFor(ctx, services, person)
  if (refusal !== null || !person) return ctx.talk.show(refusal ?? words.ownersAlone)
  await askNext(ctx, { what: 'own_bot' })
  const { name } = await services.store.shops.of(person.accountId)
  ctx.talk.say({
    text: words.askMake,
    field: {
      ...{ kind: 'own_bot', make: ownBotLabels.make, leave: labels.leave },
      ...{ name, username: name === null ? null : botUsernameFor(name) },
    },
  })
}

/** Why that person can make no bot; null if they can. */
const refusalFor = async (
  ctx: BotContext,
  services: Services,
  person: Person | null,
): Promise<string | null> => {
  if (!(await areOffered(ctx, services))) return words.notOffered
  if (person?.role !== 'owner') return words.ownersAlone
  const { bots } = services
  const before = (await bots?.madeBy(person.userId)) ?? (await bots?.madeFor(person.accountId))
  return before ? words.accountHasOne : null
}

/**
 * Takes the bot that a person has made, and what only has a meaning while they are asked to: the key that leaves, and the
 * label of the key that makes bots, which old apps type. @returns whether it was such.
 */
export const takeMade = async (ctx: BotContext, services: Services): Promise<boolean> => {
  const { message } = ctx
  if (message?.managed_bot_created) {
    await take(ctx, services, message.managed_bot_created)
    return true
  }
  if (message?.text !== labels.leave && message?.text !== ownBotLabels.make) return false
  if ((await ctx.session).question?.what !== 'own_bot') return false
  if (message.text === labels.leave) await leave(ctx, services)
  else ctx.talk.say(words.oldApp)
  return true
}

const take = async (ctx: BotContext, services: Services, { bot }: ManagedBotCreated): Promise<void> => {
  const { bots } = services
  const { id, username = String(id) } = bot
  endQuestion(ctx)
  const said = (text: string) => ctx.talk.say({ text, field: { kind: 'plain' } })
  const known = await bots?.byId(id)
  if (known?.state === 'running') return said(words.runs(username))
  const person = await personOf(ctx, services)
  if (!known) {
    const refusal = await refusalFor(ctx, services, person)
    if (!bots || !person || refusal !== null)
      return said(words.notRun(username, refusal ?? words.ownersAlone))
    const { userId: ownerId, accountId } = person
    if (!(await bots.adopt({ id, username, ownerId, accountId })))
      return said(words.notRun(username, words.accountHasOne))
    crashPoint('bot_adopted')
    await services.security.note({ kind: 'bot_added', accountId, userId: ownerId })
  }
  said(words.made(username))
  ctx.talk.aside(async () => {
    await bots?.settle()
    if ((await bots?.byId(id))?.state === 'failed') ctx.talk.say(words.delayed(username))
  })
}

/** A bot that this one manages is new, or has a new token or owner. A new bot is taken with its maker's message. */
export const takeChange = async (ctx: BotContext, { bots }: Services): Promise<void> => {
  const id = ctx.managedBot?.bot.id
  if (bots && id !== undefined) ctx.talk.aside(() => bots.renewMade(id))
}

const withOwn = async (
  ctx: BotContext,
  { bots }: Services,
  work: (bots: Bots, bot: SeenBot) => Promise<void>,
): Promise<void> => {
  const bot = ctx.from && (await bots?.madeBy(ctx.from.id))
  if (bots && bot) return work(bots, bot)
  ctx.talk.show(words.noOwnBot)
}

/** The change is made after the handler, because a bot takes a while to start or to stop. */
const change = (
  ctx: BotContext,
  services: Services,
  said: string,
  work: (bots: Bots, bot: SeenBot) => Promise<unknown>,
): Promise<void> =>
  withOwn(ctx, services, async (bots, bot) => {
    ctx.talk.toast(said)
    ctx.talk.aside(async () => {
      await work(bots, bot)
      await show(ctx, services)
    })
  })

/** Presses about the person's own bot. */
export const presses = {
  own_bot: (ctx, services, { act }) => press(ctx, services, act),
} satisfies Partial<Presses>
