import { unusedDays } from '../../../accounts/unused-agents.ts'
import type { AgencyNews, OwnershipNews } from '../../../domain/notice.ts'
import { limitToday, raisedFor, spentToday } from '../../../orders/permission/agent-limit.ts'
import { type Pesewas, plus } from '../../../provider/money.ts'
import type { Member } from '../../../store/accounts/accounts.ts'
import { button, type Screen } from '../../chat/screen.ts'
import { bundleOf } from '../../words/bundle.ts'
import { homeLabels } from '../../words/labels.ts'
import { phoneText } from '../../words/numbers.ts'
import { agentPermissionsOf } from '../agent-permissions.ts'
import { homeRows } from '../home-rows.ts'
import * as agentPermissionsWords from '../words/agent-permissions.ts'
import * as agentWords from '../words/team.ts'
import * as ownerWords from '../words/team.ts'
import { draftButtons } from './next-step-buttons.ts'
import type { Sources, Worded, Wordings } from './wording.ts'

/** News of people who join or leave an account. */
export const teamNotices: Wordings<'agency' | 'ownership'> = {
  agency: ({ news }, chatId, sources) => agencyNews(news, chatId, sources),
  ownership: ({ news }, _chatId, { now }) => ownershipNews(news, now()),
}

const agencyNews = async (news: AgencyNews, chatId: number, { store, now }: Sources): Promise<Worded> => {
  switch (news.what) {
    case 'welcome': {
      const agentPermissions = await agentPermissionsOf(store, chatId, now())
      return (
        agentPermissions && {
          text: agentPermissionsWords.welcomeAgent(agentPermissions),
          rows: homeRows('agent'),
        }
      )
    }
    case 'joined':
      return joined(news.agentId, chatId, store)
    case 'unused':
      return unused(news.agentId, chatId, store)
    case 'paused': {
      const agentPermissions = await agentPermissionsOf(store, chatId, now())
      if (!agentPermissions) return null
      const rows = agentPermissions.isPaused ? [] : homeRows('agent').slice(0, 1)
      return { text: agentPermissionsWords.pausedOrResumed(agentPermissions), rows }
    }
    case 'asks':
      return asksForMore(news, chatId, store, now())
    case 'answered':
      return answeredAsk(news, store)
    case 'left':
      return agentWords.leftByThemselves(news.name, news.cancelled, news.open)
    case 'dismissed':
      return agentPermissionsWords.dismissed(news.cancelled, news.open)
  }
}

/** The agent; null if they no longer belong to that owner's account. */
const agentOf = async (
  ownerId: number,
  agentId: number,
  { accounts }: Sources['store'],
): Promise<Member | null> => {
  const owner = await accounts.member(ownerId)
  const agent = await accounts.member(agentId)
  const isTheirs = owner?.role === 'owner' && agent?.role === 'agent' && agent.accountId === owner.accountId
  return isTheirs ? agent : null
}

const joined = async (agentId: number, chatId: number, store: Sources['store']): Promise<Screen | null> => {
  const agent = await agentOf(chatId, agentId, store)
  if (!agent) return null
  const open = { act: 'open', id: agent.userId } as const
  return {
    text: agentWords.joined(agent.name, agent.dailyLimitPesewas),
    rows: [[button(agentWords.agentLabel(agent.name, false), { do: 'agents', act: open })]],
  }
}

/** Not sent if the agent is no longer paused, because another owner has already let them order. */
const unused = async (agentId: number, chatId: number, store: Sources['store']): Promise<Screen | null> => {
  const agent = await agentOf(chatId, agentId, store)
  if (!agent?.pausedAt) return null
  const id = agent.userId
  const { resume, remove } = agentWords.agentLabels
  return {
    text: agentWords.pausedUnused(agent.name, unusedDays),
    rows: [
      [
        button(resume, { do: 'agents', act: { act: 'pause', id, paused: false } }),
        button(remove, { do: 'agents', act: { act: 'remove', id } }),
      ],
    ],
  }
}

/** Not sent if the agent was answered in the meantime. */
const asksForMore = async (
  { agentId, purchaseId, neededPesewas }: Extract<AgencyNews, { what: 'asks' }>,
  chatId: number,
  store: Sources['store'],
  at: Date,
): Promise<Screen | null> => {
  const agent = await agentOf(chatId, agentId, store)
  const limitPesewas = agent && limitToday(agent, at)
  const purchase = await store.purchases.byId(purchaseId)
  if (!agent?.askedAt || limitPesewas === null || !purchase) return null
  const spent = await spentToday(store, agent, at)
  const raised = raisedFor(plus(spent.pesewas, neededPesewas))
  const raise = (pesewas: Pesewas | null) =>
    ({ do: 'agents', act: { act: 'raise', id: agentId, pesewas, purchaseId } }) as const
  const [line] = purchase.kind === 'single' ? purchase.lines : []
  return {
    text: agentWords.asksForMore({
      name: agent.name,
      what: line ? `${bundleOf(line)} for ${phoneText(line.phone)}` : 'A list',
      neededPesewas,
      spentPesewas: spent.pesewas,
      limitPesewas,
    }),
    rows: [
      [button(agentWords.raiseLabel(raised), raise(raised))],
      [button(agentWords.agentLabels.keepLimit, raise(null))],
    ],
  }
}

const answeredAsk = async (
  { purchaseId, raisedPesewas }: Extract<AgencyNews, { what: 'answered' }>,
  { purchases }: Sources['store'],
): Promise<Screen> => {
  const purchase = await purchases.byId(purchaseId)
  const isOpen = raisedPesewas !== null && purchase?.state === 'draft'
  return {
    text: agentPermissionsWords.answeredAsk(raisedPesewas, isOpen),
    rows: isOpen ? draftButtons(purchase) : [],
  }
}

const ownershipNews = (news: OwnershipNews, now: Date): Screen => {
  const team = button(homeLabels.agents, { do: 'agents', act: { act: 'list' } })
  switch (news.what) {
    case 'connected':
      return { text: ownerWords.ownerConnected(news.who, new Date(news.atMs), now), rows: [[team]] }
    case 'guessed':
      return { text: ownerWords.wrongSecrets(new Date(news.atMs), now) }
    case 'replaced':
    case 'removed':
      return { text: ownerWords.ownerNoMore(news, new Date(news.atMs), now) }
    case 'took_over':
      return { text: ownerWords.tookOver(news.owners, news.paused, news.cancelled), rows: [[team]] }
  }
}
