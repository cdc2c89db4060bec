import type { Person } from '../../orders/purchases.ts'
import type { Phone } from '../../provider/phone.ts'
import type { Book } from '../../store/customers.ts'
import type { AllQueries } from '../../store/store.ts'
import type { CustomerAct } from '../buttons/customer.ts'
import type { BotContext } from '../context.ts'
import { type Key, key, type Screen } from '../screen.ts'
import type { Services } from '../services.ts'
import { labels } from '../texts/labels.ts'
import * as words from '../texts/network.ts'
import { notYours } from '../texts/refusal.ts'

/** Numbers that were kept on another network than their prefix says. They are the account's: its owners see them. */
type KeptAct = Extract<CustomerAct, { act: 'kept' | 'forget_kept' | 'forget_all_kept' }>

const mostShown = 30

const actKey = (label: string, act: KeptAct): Key => key(label, { do: 'customers', act })

/** The way to them from the book of the owners, where there are any. */
export const keys = async ({ ported }: Pick<AllQueries, 'ported'>, book: Book): Promise<Key[]> => {
  if (book.agentId !== 0) return []
  const count = await ported.count(book.accountId)
  return count === 0 ? [] : [actKey(words.portedLabel(count), { act: 'kept' })]
}

export const press = async (
  ctx: BotContext,
  { store }: Services,
  { accountId, role }: Person,
  act: KeptAct,
): Promise<void> => {
  if (role !== 'owner') {
    ctx.talk.toast(notYours)
    return
  }
  switch (act.act) {
    case 'kept':
      break
    case 'forget_kept': {
      const count = await store.ported.forget(accountId, [act.phone])
      ctx.talk.toast(count > 0 ? words.portedForgotten : words.portedGone)
      break
    }
    case 'forget_all_kept': {
      const count = await store.ported.forgetAll(accountId)
      ctx.talk.toast(count > 0 ? words.portedAllForgotten : words.portedGone)
    }
  }
  ctx.talk.show(await screen(store, accountId))
}

const screen = async ({ ported }: Pick<AllQueries, 'ported'>, accountId: string): Promise<Screen> => {
  const count = await ported.count(accountId)
  const shown = await ported.list(accountId, mostShown)
  return {
    text: words.ported(count, shown.length),
    rows: [
      ...shown.map(({ phone, network }) => [
        actKey(words.forgetLabel(phone, network), { act: 'forget_kept', phone: phone as Phone }),
      ]),
      count > 1 ? [actKey(words.forgetAllLabel, { act: 'forget_all_kept' })] : [],
      [key(labels.back, { do: 'customers', act: { act: 'list', page: 0 } })],
    ],
  }
}
