import type { SecurityKind } from '../../../accounts/security-trail.ts'
import { formatGhs, pesewas } from '../../../provider/money.ts'
import { readBriefRule } from '../../../shop/brief-rule.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { b, code, lines } from '../../words/markup.ts'
import { ruleWords } from '../selling/words.ts'

export const securityLabel = '🔐 Security'

export interface SecurityLine {
  at: Date
  kind: string
  /** `you`, a role, a name, or a stranger's tag; null if no person did it. */
  who: string | null
  detail: string
}

const eventWords: Record<SecurityKind, string> = {
  connected: 'connected',
  left: 'left the account',
  wrong_credentials: 'wrong secret for the API key',
  credentials_replaced: 'new key and secret',
  credentials_refused: 'the provider refused the key',
  account_erased: 'account erased',
  secret_typed: 'key or secret typed in a chat',
  invited: 'invitation made',
  invitation_revoked: 'invitation revoked',
  agent_limit: 'agent’s limit changed',
  agent_price: 'agent’s price changed',
  agent_networks: 'agent’s networks changed',
  agent_prices: 'prices shown to agents changed',
  agent_paused: 'agent paused',
  agent_resumed: 'agent resumed',
  agent_removed: 'agent removed',
  owner_removed: 'owner removed',
  exported: 'exported',
  data_deleted: 'data deleted',
  customer_blocked: 'customer blocked',
  customer_unblocked: 'customer unblocked',
  balance_code_changed: 'balance code changed by an operator',
  complaint_rule_changed: 'complaint deadline changed by an operator',
  chat_blocked: 'chat blocked by an operator',
  chat_unblocked: 'chat unblocked by an operator',
  operator_invited: 'invitation made by an operator',
  orders_paused: 'all orders paused',
  orders_resumed: 'orders resumed',
  network_down: 'network marked as down',
  network_back: 'network marked as working',
  prefix_changed: 'first digits of a network changed',
  bot_named: 'bot’s name chosen by an operator',
  forged_press: 'forged button pressed',
  token_misused: 'bot token used by somebody else',
}

// The log may contain kinds of events that only a newer version knows.
const knownWords: Readonly<Record<string, string | undefined>> = eventWords

const wordsOf = ({ kind, detail }: SecurityLine): string => {
  const said = knownWords[kind] ?? foreignWord(kind)
  if (detail === '') return said
  if (kind === 'exported') return `${said} ${foreignWord(detail.replace(/ (csv|xlsx)$/, ' ($1)'))}`
  return `${said} (${detailWords(kind, detail)})`
}

const detailWords = (kind: string, detail: string): string => {
  if (kind === 'agent_limit') return limitWords(detail)
  if (kind === 'secret_typed') return detail === 'own' ? 'the account’s own' : 'looked like one'
  const rule = kind === 'agent_price' ? readBriefRule(detail) : undefined
  if (rule === undefined) return foreignWord(oneLine(detail, 40))
  return rule === null ? 'same as all agents' : ruleWords(rule)
}

const limitWords = (detail: string): string =>
  /^\d{1,15}$/.test(detail) ? formatGhs(pesewas(Number(detail))) : 'no limit'

const line = (event: SecurityLine, now: Date): string =>
  `${when(event.at, now)} · ${wordsOf(event)}${event.who === null ? '' : ` · ${event.who}`}`

export const accountEvents = (events: readonly SecurityLine[], now: Date): string =>
  lines(
    b('Security'),
    'What happened to your account here, newest first.',
    '',
    ...(events.length === 0 ? ['Nothing yet.'] : events.map((event) => line(event, now))),
    '',
    'Not you? Make a new key in the provider’s dashboard, then /connect.',
  )

/** @param altered the id of the first row that was changed after it was written. */
export const allEvents = (
  events: readonly SecurityLine[],
  { page, altered, now }: { page: number; altered: number | null; now: Date },
): string =>
  lines(
    `${b('Security events')}${page > 0 ? ` · page ${page + 1}` : ''}`,
    altered === null
      ? '✅ No entries have been changed.'
      : `⚠️ Entry ${altered} was changed or added in the database, not by the bot.`,
    '',
    ...(events.length === 0 ? ['None.'] : events.map((event) => line(event, now))),
  )

/** A person whose name is not known. */
export const stranger = (tag: string): string => `somebody ${code(tag.slice(0, 6))}`
export const you = 'you'
export const anOwner = 'an owner'
