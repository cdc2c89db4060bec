import { isAwaited } from '../../accounts/departure.ts'
import { blockedNotice } from '../../relay/notice.ts'
import { type BlockAct, isChatId } from '../buttons/operator.ts'
import { askNext, type BotContext, forgetQuestion } from '../context.ts'
import { operatorKey, overviewKey, pageOf, pagingKeys, perPage } from '../operator-keys.ts'
import type { Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { labels } from '../texts/labels.ts'
import * as words from '../texts/operator.ts'

/**
 * Blocking a chat: what it sends is not read any more, and it is owed nothing but what it had confirmed. Deleting its
 * data does not lift a block.
 */

const { operatorLabels } = words

export const press = async (ctx: BotContext, services: Services, act: BlockAct): Promise<void> => {
  switch (act.act) {
    case 'blocked':
      await forgetQuestion(ctx, services)
      ctx.talk.show(await blockedScreen(services, act.page))
      return
    case 'ask_block':
      await askNext(ctx, { what: 'operator', ask: { about: 'block' } })
      ctx.talk.show({
        text: words.askBlock,
        rows: [[operatorKey(labels.leave, { act: 'blocked', page: 0 })]],
      })
      return
    case 'block':
      return ask(ctx, services, act.chatId)
    case 'block_sure':
      return block(ctx, services, act.chatId)
    case 'unblock': {
      const isDone = await services.store.operations.unblock(act.chatId)
      if (isDone)
        await services.security.note({
          kind: 'chat_unblocked',
          accountId: null,
          userId: ctx.from?.id ?? null,
        })
      ctx.talk.toast(isDone ? words.unblocked : words.notBlocked)
      ctx.talk.show(await blockedScreen(services, 0))
    }
  }
}

/** The typed id of whom to block. */
export const takeId = async (ctx: BotContext, services: Services, text: string): Promise<void> => {
  const typed = text.trim()
  if (!isChatId(typed)) {
    ctx.talk.say(words.notAnId(typed))
    return
  }
  await forgetQuestion(ctx, services)
  await ask(ctx, services, Number(typed))
}

const blockedScreen = async ({ store, now }: Services, page: number): Promise<Screen> => {
  const first = page * perPage
  const found = await store.operations.blockedChats(first, perPage + 1)
  const shown = pageOf(found)
  const keys = shown.map(({ chatId }, index) =>
    operatorKey(words.unblockLabel(first + index + 1), { act: 'unblock', chatId }),
  )
  return {
    text: words.blockedChats(shown, page, first, now()),
    rows: [
      ...keys.flatMap((_, index) => (index % 2 === 0 ? [keys.slice(index, index + 2)] : [])),
      pagingKeys(page, found, (to) => ({ act: 'blocked', page: to })),
      [operatorKey(operatorLabels.blockSomebody, { act: 'ask_block' }), overviewKey],
    ],
  }
}

const ask = async (ctx: BotContext, services: Services, chatId: number): Promise<void> => {
  const { store, ownerIds } = services
  if (ownerIds.includes(chatId)) return refuse(ctx, services, words.operatorsStay)
  if (await store.operations.blockedSince(chatId)) return refuse(ctx, services, words.blockedBefore)
  const member = await store.accounts.member(chatId)
  const open = member ? (await store.orders.underWatch(member.accountId)).filter(isAwaited).length : 0
  ctx.talk.show({
    text: words.askBlockSure({ chatId, role: member?.role ?? null, open }),
    rows: [
      [
        operatorKey(operatorLabels.blockSure, { act: 'block_sure', chatId }),
        operatorKey(labels.cancel, { act: 'blocked', page: 0 }),
      ],
    ],
  })
}

const block = async (ctx: BotContext, services: Services, chatId: number): Promise<void> => {
  const { store, ownerIds, now, onNotice, security } = services
  if (ownerIds.includes(chatId)) return refuse(ctx, services, words.operatorsStay)
  const isBlocked = await store.transaction(async (tx) => {
    if (!(await tx.operations.block(chatId, now()))) return false
    await tx.notices.owe(chatId, blockedNotice, now())
    return true
  })
  if (isBlocked) {
    await security.note({ kind: 'chat_blocked', accountId: null, userId: ctx.from?.id ?? null })
    onNotice()
  }
  return refuse(ctx, services, isBlocked ? words.blockedNow : words.blockedBefore)
}

const refuse = async (ctx: BotContext, services: Services, why: string): Promise<void> => {
  ctx.talk.toast(why)
  ctx.talk.show(await blockedScreen(services, 0))
}
