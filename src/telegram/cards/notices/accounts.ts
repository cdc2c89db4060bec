import { isAwaited, isShared } from '../../../accounts/departure.ts'
import type { AlertName, ConnectionOutcome } from '../../../domain/notice.ts'
import { endAlert } from '../../../messaging/alerts.ts'
import type { Queries } from '../../../store/store.ts'
import { isRefused } from '../../../wallets/refused-credentials.ts'
import { button, type Screen } from '../../chat/screen.ts'
import { homeLabels } from '../../words/labels.ts'
import { networkPace } from '../../words/pace.ts'
import { homeRows } from '../home-rows.ts'
import { atPrice, usualOf } from '../usual.ts'
import * as connectTexts from '../words/account-key.ts'
import { alertOver } from '../words/alert.ts'
import { audit } from '../words/audit.ts'
import * as disconnectTexts from '../words/leaving.ts'
import { ordersErased } from '../words/leaving.ts'
import * as walletTexts from '../words/low-balance.ts'
import type { Sources, Worded, Wordings } from './wording.ts'

/** News of an account: its credentials, its balance, the audit after a restore, and its removal. */
export const accountNotices: Wordings<
  | 'reconnect'
  | 'accepted_again'
  | 'alert_over'
  | 'low_balance'
  | 'network_pace'
  | 'audit'
  | 'connection'
  | 'departed'
> = {
  /** Not sent if the provider accepts the credentials again. */
  reconnect: async (_content, chatId, sources) => {
    const isOn = ({ accounts }: Pick<Queries, 'accounts'>) => isKeyRefused(accounts, chatId)
    return alert('key', { chatId, screen: { text: connectTexts.reconnect }, isOn }, sources)
  },
  accepted_again: () => connectTexts.acceptedAgain,
  alert_over: ({ name, messageId, lastedMs }) => ({
    kind: 'live',
    screen: { text: alertOver(name, lastedMs), silent: messageId === null },
    messageId,
    standsOn: async () => {},
  }),
  /** Sent only to a person who still owns the account. */
  low_balance: async ({ accountId, balancePesewas: balance, levelPesewas: level }, chatId, sources) => {
    const { store, now } = sources
    const member = await store.accounts.member(chatId)
    if (member?.accountId !== accountId || member.role !== 'owner') return null
    const goodFor = atPrice(balance, await usualOf(store, accountId, now()))
    const rows = [
      [
        button(homeLabels.balance, { do: 'balance' }),
        button(walletTexts.walletLabels.alert, { do: 'settings', act: { act: 'open', topic: 'level' } }),
      ],
    ]
    const screen = { text: walletTexts.lowBalance({ balance, level, goodFor }), rows }
    const isOn = async ({ preferences }: Pick<Queries, 'preferences'>) =>
      (await preferences.of(chatId)).lowBalanceToldAt !== null
    return alert('balance', { chatId, screen, isOn }, sources)
  },
  /** Not sent if the network changed again since, or the person switched it off or owns no account any more. */
  network_pace: async (pace, chatId, { store }) => {
    const { tellsSlow, slowNetworks } = await store.preferences.of(chatId)
    const isTrue = slowNetworks.includes(pace.network) === pace.isSlow
    const isOwner = (await store.accounts.member(chatId))?.role === 'owner'
    return tellsSlow && isTrue && isOwner ? networkPace(pace.network, pace) : null
  },
  audit: (content, _chatId, { now }) => audit(content, now()),
  connection: ({ outcome }, chatId, sources) => connectionScreen(outcome, chatId, sources),
  departed: async ({ erased, forgotten }, chatId, { store }) => {
    const isConnected = (await store.accounts.member(chatId)) !== null
    const text = disconnectTexts.departed(erased, isConnected)
    return forgotten ? `${text}\n${ordersErased}` : text
  },
}

const isKeyRefused = async (accounts: Queries['accounts'], chatId: number): Promise<boolean> => {
  const member = await accounts.member(chatId)
  return isRefused(member && (await accounts.byId(member.accountId)))
}

interface Warning {
  chatId: number
  screen: Screen
  /** Whether the trouble continues. */
  isOn: (queries: Queries) => Promise<boolean>
}

/**
 * Sends the alert as a new message, which makes a sound, and remembers it. If the trouble ends while it is being sent,
 * the alert is closed immediately. If the trouble has already ended, no alert is sent.
 */
const alert = async (
  name: AlertName,
  { chatId, screen, isOn }: Warning,
  sources: Sources,
): Promise<Worded> => {
  const { store, now } = sources
  if (!(await isOn(store))) return overUnseen(name, chatId, sources)
  const since = now()
  return {
    kind: 'live',
    screen,
    messageId: null,
    setsOut: () => store.alerts.remember(name, { chatId, messageId: null, since }).catch(() => {}),
    standsOn: async (messageId) => {
      // Locks the account, because a transaction that ends the trouble closes only the alerts that are stored by then.
      const accountId = (await store.accounts.member(chatId))?.accountId
      await store.transaction(
        async (tx) => {
          await tx.alerts.remember(name, { chatId, messageId, since })
          if (!(await isOn(tx))) await endAlert(tx, chatId, name, now())
        },
        { accounts: accountId === undefined ? [] : [accountId] },
      )
    },
  }
}

/**
 * Closes an alert whose message is unknown, because the process that sent it died before it had Telegram's answer. The
 * alert may have reached the chat, so a new message says that the trouble is over.
 */
const overUnseen = async (name: AlertName, chatId: number, { store, now }: Sources): Promise<Worded> => {
  const left = await store.alerts.at(chatId, name)
  if (left?.messageId !== null) return null
  const text = alertOver(name, Math.max(0, now().getTime() - left.since.getTime()))
  return {
    kind: 'live',
    screen: { text, silent: true },
    messageId: null,
    standsOn: async () => void (await store.alerts.take(chatId, name)),
  }
}

/**
 * A button that asks for the key again. The bot does not ask unprompted, because it would then take the next typed
 * order for a key and delete it.
 */
const keyAgain = [[button(connectTexts.connectLabels.keyAgain, { do: 'connect' })]]

const connectionScreen = async (
  outcome: ConnectionOutcome,
  chatId: number,
  sources: Sources,
): Promise<Screen> => {
  switch (outcome.kind) {
    case 'connected': {
      const { accountType, balancePesewas, left } = outcome
      return {
        text: connectTexts.connected(accountType, balancePesewas, left, sources.now()),
        rows: homeRows('owner'),
      }
    }
    case 'refused':
      return { text: connectTexts.credentialsRefused, rows: keyAgain }
    case 'unchecked':
      return { text: connectTexts.credentialsUnchecked(outcome), rows: keyAgain }
    case 'interrupted':
      return { text: connectTexts.credentialsInterrupted }
    case 'busy':
      return { text: connectTexts.keyIsBusy }
    case 'other_account': {
      const { isCertain, mayBeSame, accountType, balancePesewas, untilMs } = outcome
      const stays = await accountOf(chatId, sources)
      const found = { isCertain, mayBeSame, accountType, balance: balancePesewas, untilMs }
      const { connectLabels } = connectTexts
      return {
        text: connectTexts.askSwitch({ ...found, ...stays }),
        rows: [
          mayBeSame ? [button(connectLabels.sameAccount, { do: 'replace_key', untilMs })] : [],
          [
            button(connectLabels.switchAccount, { do: 'switch', sure: true, untilMs }),
            button(connectLabels.keep, { do: 'switch', sure: false, untilMs }),
          ],
        ],
      }
    }
  }
}

/** What the question whether to switch accounts says about the account that the user would leave. */
const accountOf = async (
  userId: number,
  { store }: Sources,
): Promise<{ shared: boolean; isAgent: boolean; refused: boolean; waiting: number; open: number }> => {
  const member = await store.accounts.member(userId)
  const accountId = member?.accountId ?? ''
  const waiting = (await store.orders.queuedOfAccount(accountId)).length
  const open = (await store.orders.underWatch(accountId)).filter(isAwaited).length
  const shared = isShared(await store.accounts.members(accountId), userId)
  const refused = isRefused(await store.accounts.byId(accountId))
  return { shared, isAgent: member?.role === 'agent', refused, waiting, open }
}
