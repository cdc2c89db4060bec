import { isAwaited } from '../../../accounts/departure.ts'
import { blockedNotice } from '../../../domain/notice.ts'
import { isChatId } from '../../buttons/fields.ts'
import { askNext, type BotContext, forgetQuestion } from '../../chat/context.ts'
import type { ActHandlers } from '../../chat/handler.ts'
import type { RecentPerson } from '../../chat/recent-people.ts'
import type { Screen } from '../../chat/screen.ts'
import { askingFor, inRows } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { hints } from '../../words/hints.ts'
import { labels } from '../../words/labels.ts'
import * as blockWords from './block-words.ts'
import { noteAct } from './note-act.ts'
import { operatorButton, overviewButton, pageOf, perPage, turnButtons } from './operator-buttons.ts'
import * as words from './words.ts'

/**
 * Blocks a chat: the bot ignores its messages, and sends it only news of confirmed orders. A block stays even if the
 * person's data is deleted.
 */

const { operatorLabels } = words

/** What the operators' buttons for blocking do. */
export const acts = {
  blocked: async (ctx, { page }) => ctx.talk.show(await blockedScreen(ctx.services, page)),
  ask_block: async (ctx) => {
    await askNext(ctx, { what: 'operator', ask: { about: 'block' } })
    const people = await recentOf(ctx.services)
    const buttons = people.map((each) =>
      operatorButton(blockWords.personLabel(each), { act: 'block', chatId: each.id }),
    )
    ctx.talk.show({
      text: blockWords.askBlock(people.length > 0),
      rows: [...buttons.map((each) => [each]), [operatorButton(labels.leave, { act: 'blocked', page: 0 })]],
    })
  },
  block: (ctx, { chatId }) => ask(ctx, chatId),
  block_sure: (ctx, { chatId }) => block(ctx, chatId),
  unblock: async (ctx, { chatId }) => {
    const isDone = await ctx.services.store.operations.unblock(chatId)
    if (isDone) await noteAct(ctx, 'chat_unblocked')
    ctx.talk.toast(isDone ? blockWords.unblocked : blockWords.notBlocked)
    ctx.talk.show(await blockedScreen(ctx.services, 0))
  },
} satisfies Partial<ActHandlers<'operator'>>

/** How many of those who wrote last have a button. */
const maxRecent = 6

/** People who wrote lately and can be blocked. */
const recentOf = async ({ store, ownerIds, recentPeople }: Services): Promise<RecentPerson[]> => {
  const found: RecentPerson[] = []
  for (const person of recentPeople.latest()) {
    if (ownerIds.includes(person.id) || (await store.operations.blockedSince(person.id))) continue
    found.push(person)
    if (found.length === maxRecent) break
  }
  return found
}

/** Takes the typed @username or id of the chat to block. */
export const takeWhom = async (ctx: BotContext, text: string): Promise<void> => {
  const typed = text.trim()
  const [, username] = /^(?:@|(?:https?:\/\/)?t\.me\/)(\w{4,32})$/.exec(typed) ?? []
  const chatId = username
    ? ctx.services.recentPeople.byUsername(username)?.id
    : isChatId(typed)
      ? Number(typed)
      : undefined
  if (chatId === undefined) {
    const refusal = username ? blockWords.notMet(username) : blockWords.notAnId(typed)
    return ctx.talk.say(askingFor(hints.userId, refusal))
  }
  await forgetQuestion(ctx)
  await ask(ctx, chatId)
}

const blockedScreen = async ({ store, now }: Services, page: number): Promise<Screen> => {
  const first = page * perPage
  const found = await store.operations.blockedChats(first, perPage + 1)
  const shown = pageOf(found)
  const buttons = shown.map(({ chatId }, index) =>
    operatorButton(blockWords.unblockLabel(first + index + 1), { act: 'unblock', chatId }),
  )
  return {
    text: blockWords.blockedChats(shown, page, first, now()),
    rows: [
      ...inRows(buttons, 2),
      turnButtons(page, found, (to) => ({ act: 'blocked', page: to })),
      [
        ...(page === 0 ? [operatorButton(operatorLabels.blockSomebody, { act: 'ask_block' })] : []),
        overviewButton,
      ],
    ],
  }
}

const ask = async (ctx: BotContext, chatId: number): Promise<void> => {
  const { store, ownerIds, recentPeople } = ctx.services
  if (ownerIds.includes(chatId)) return refuse(ctx, blockWords.operatorsStay)
  if (await store.operations.blockedSince(chatId)) return refuse(ctx, blockWords.blockedBefore)
  const member = await store.accounts.member(chatId)
  const open = member ? (await store.orders.underWatch(member.accountId)).filter(isAwaited).length : 0
  ctx.talk.show({
    text: blockWords.askBlockSure({
      chatId,
      person: recentPeople.latest().find(({ id }) => id === chatId) ?? null,
      role: member?.role ?? null,
      open,
    }),
    rows: [
      [
        operatorButton(operatorLabels.blockSure, { act: 'block_sure', chatId }),
        operatorButton(labels.cancel, { act: 'blocked', page: 0 }),
      ],
    ],
  })
}

const block = async (ctx: BotContext, chatId: number): Promise<void> => {
  const { store, ownerIds, now, onNotice } = ctx.services
  if (ownerIds.includes(chatId)) return refuse(ctx, blockWords.operatorsStay)
  const isBlocked = await store.transaction(async (tx) => {
    if (!(await tx.operations.block(chatId, now()))) return false
    await tx.notices.enqueue(chatId, blockedNotice, now())
    return true
  })
  if (isBlocked) {
    await noteAct(ctx, 'chat_blocked')
    onNotice()
  }
  return refuse(ctx, isBlocked ? blockWords.blockedNow : blockWords.blockedBefore)
}

const refuse = async (ctx: BotContext, why: string): Promise<void> => {
  ctx.talk.toast(why)
  ctx.talk.show(await blockedScreen(ctx.services, 0))
}
