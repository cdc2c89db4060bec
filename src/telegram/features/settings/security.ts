import type { Person } from '../../../orders/buying/purchases.ts'
import type { SecurityRow } from '../../../store/accounts/security-events.ts'
import type { BotContext } from '../../chat/context.ts'
import { button } from '../../chat/screen.ts'
import { agentName } from '../../words/agent.ts'
import { labels } from '../../words/labels.ts'
import {
  operatorButton,
  overviewButton,
  pageOf,
  perPage,
  turnButtons,
} from '../operating/operator-buttons.ts'
import * as words from './security-words.ts'

const maxShown = 20

/** Shows the account's security log to its owners. */
export const show = async (ctx: BotContext, person: Person): Promise<void> => {
  const { store, security, now } = ctx.services
  const members = await store.accounts.members(person.accountId)
  const whoOf = ({ actor }: SecurityRow): string | null => {
    if (actor === '') return null
    const member = members.find(({ userId }) => security.isActor(actor, userId))
    if (!member) return words.stranger(actor)
    if (member.userId === person.userId) return words.you
    return member.role === 'owner' ? words.anOwner : agentName(member.name)
  }
  const rows = await security.page(person.accountId, 0, maxShown)
  ctx.talk.show({
    text: words.accountEvents(
      rows.map((row) => ({ ...row, who: whoOf(row) })),
      now(),
    ),
    rows: [[button(labels.back, { do: 'settings', act: { act: 'more' } })]],
  })
}

/** Shows the whole security log to operators, without persons and accounts. */
export const showAll = async (ctx: BotContext, page: number): Promise<void> => {
  const { security, now } = ctx.services
  const found = await security.page(null, page * perPage, perPage + 1)
  const shown = pageOf(found).map((row) => ({
    ...row,
    who: row.actor === '' ? null : words.stranger(row.actor),
  }))
  ctx.talk.show({
    text: words.allEvents(shown, { page, altered: await security.alteredRow(), now: now() }),
    rows: [
      turnButtons(page, found, (to) => ({ act: 'security', page: to })),
      [operatorButton(labels.refresh, { act: 'security', page }), overviewButton],
    ],
  })
}
