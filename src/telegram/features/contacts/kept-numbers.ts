import type { Person } from '../../../orders/buying/purchases.ts'
import type { Phone } from '../../../provider/phone.ts'
import type { Book } from '../../../store/shop/contacts.ts'
import type { Queries } from '../../../store/store.ts'
import type { ActOf } from '../../buttons/table.ts'
import type { BotContext } from '../../chat/context.ts'
import type { Button, Screen } from '../../chat/screen.ts'
import { labels } from '../../words/labels.ts'
import { notYours } from '../../words/unusable.ts'
import { contactsButton } from './contacts-button.ts'
import * as words from './kept-number-words.ts'

/**
 * What buttons can do with kept numbers, which are saved under another network than their prefix suggests. They belong
 * to the account, and only its owners see them.
 */
type KeptAct = Extract<ActOf<'contacts'>, { act: 'kept' | 'forget_kept' | 'forget_all_kept' }>

const maxShown = 6

/** The button to the kept numbers, shown only in the owners' contact book and only if there are any. */
export const buttons = async ({ ported }: Pick<Queries, 'ported'>, book: Book): Promise<Button[]> => {
  if (book.agentId !== 0) return []
  const count = await ported.count(book.accountId)
  return count === 0 ? [] : [contactsButton(words.portedLabel(count), { act: 'kept' })]
}

/** Handles a button about kept numbers. */
export const press = async (ctx: BotContext, { accountId, role }: Person, act: KeptAct): Promise<void> => {
  const { store } = ctx.services
  if (role !== 'owner') return ctx.talk.toast(notYours)
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
      break
    }
    default:
      return act satisfies never
  }
  ctx.talk.show(await screen(store, accountId))
}

const screen = async ({ ported }: Pick<Queries, 'ported'>, accountId: string): Promise<Screen> => {
  const count = await ported.count(accountId)
  const shown = await ported.list(accountId, maxShown)
  return {
    text: words.ported(count, shown.length),
    rows: [
      ...shown.map(({ phone, network }) => [
        contactsButton(words.forgetLabel(phone, network), { act: 'forget_kept', phone: phone as Phone }),
      ]),
      count > 1 ? [contactsButton(words.forgetAllLabel, { act: 'forget_all_kept' })] : [],
      [contactsButton(labels.back, { act: 'list', page: 0 })],
    ],
  }
}
