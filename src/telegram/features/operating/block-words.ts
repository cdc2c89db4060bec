import type { RecentPerson } from '../../chat/recent-people.ts'
import { escapeHtml, oneLine } from '../../chat/screen.ts'
import { b, code, counted, joined, lines } from '../../words/markup.ts'
import { numbered, sinceFor, title } from './line-words.ts'

export const blockedChats = (
  all: { chatId: number; since: Date }[],
  page: number,
  first: number,
  now: Date,
): string =>
  lines(
    title('Blocked', page),
    'I don’t read what blocked people write. Orders they’ve confirmed still go out, and I tell them what happens.',
    '',
    ...numbered(
      first,
      all.map(({ chatId, since }) => `${code(String(chatId))} ${sinceFor(since, now)}`),
      'Nobody is blocked.',
    ),
  )

export const unblockLabel = (number: number): string => `↩️ Unblock ${number}`

export const askBlock = (hasRecent: boolean): string =>
  lines(
    b('Who do you want to block?'),
    'Send their <code>@username</code> or Telegram id. A group’s id begins with a minus.',
    hasRecent ? 'Or choose somebody who wrote recently:' : null,
  )

/** Somebody by name and username. The label of a button. */
export const personLabel = ({ id, name, username }: RecentPerson): string =>
  [oneLine(name ?? '', 24) || String(id), username === null ? null : `@${username}`]
    .filter((part) => part !== null)
    .join(' · ')

export const notMet = (username: string): string =>
  `${code(`@${username}`, 40)} hasn’t written since I last started. Send their Telegram id instead, or /cancel.`

export const notAnId = (text: string): string =>
  `${code(text, 30)} isn’t an @username or a Telegram id. Send one like <code>123456789</code>, or /cancel.`

export interface BlockOptions {
  chatId: number
  /** Who that is, if they wrote lately. */
  person: RecentPerson | null
  role: 'owner' | 'agent' | null
  /** How many orders of the person's account are not finished. */
  open: number
}

export const askBlockSure = ({ chatId, person, role, open }: BlockOptions): string =>
  lines(
    `${b('Block this chat?')} ${code(String(chatId))}`,
    person && escapeHtml(personLabel(person)),
    joined(
      ' ',
      role === null
        ? 'They have no account here.'
        : role === 'owner'
          ? 'They own an account.'
          : 'They’re an agent.',
      open === 0
        ? null
        : `${counted(open, 'order in that account isn’t', 'orders in that account aren’t')} finished. I’ll tell them what happens to theirs.`,
    ),
    '',
    'I won’t read what they send, and I’ll tell them so once.',
  )

export const blockedNow = 'Blocked'

export const blockedBefore = 'That chat is already blocked.'

export const unblocked = 'Unblocked. I’ll read their messages again.'

export const notBlocked = 'That chat isn’t blocked.'

export const operatorsStay = 'You can’t block an operator.'
