import { escapeHtml, foreignWord } from '../screen.ts'
import { b } from './markup.ts'

/** The words for operators, and for whom they invite. */

export const operatorLabels = {
  invite: '✉️ Invite',
} as const

export const byInvitation =
  'This bot is by invitation: ask whoever runs it for a link. Looking up an order by its reference works without.'

export const invitationAccepted = '✅ You are invited. Now /connect your account.'

export const invitationSpent = 'This invitation was used already, or its time is over. Ask for a new link.'

export const admin = (counts: { placement: string; count: number }[], owed: number) =>
  [
    b('Operators'),
    ...counts.map(({ placement, count }) => `${foreignWord(placement)}: ${count}`),
    `messages owed: ${owed}`,
  ].join('\n')

export const invitation = (url: string) =>
  `A one-time link, good for 24 hours. Whoever opens it may connect an account:\n${escapeHtml(url)}`
