import { invitationMs, maxInvitations } from '../../../accounts/agency.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import type { AgentPermissions } from '../../cards/words/agent-permissions.ts'
import { escapeHtml, foreignWord } from '../../chat/screen.ts'
import { clock } from '../../chat/time.ts'
import { walletOf } from '../../words/agent.ts'
import { b, counted, lengthIn, lines } from '../../words/markup.ts'

/** Texts about invitations to agents. */

/** The label of the button that revokes an open invitation. `index` counts them from 1. */
export const revokeLabel = (index: number) => `Revoke ${index}`

export const invitationTitle = 'An invitation for one person'

/** The whole message is forwarded, so every line must be true for the owner and for the agent. */
export const invitationReady = (url: string, expiresAt: Date, limit: Pesewas) =>
  [
    b(invitationTitle),
    `The first person to open this link and press Join before ${clock(expiresAt)} can order with the shop’s wallet.`,
    `Daily limit: ${b(formatGhs(limit))}.`,
    '',
    escapeHtml(url),
  ].join('\n')

/** The text that is forwarded. Plain text. */
export const invitationText = (url: string) =>
  `Order data bundles and I’ll pay. This link is only for you and works for ${lengthIn('hour', invitationMs)}: ${url}`

/** How many open invitations are named. */
const maxNamed = 5

export const openInvitations = (open: readonly { expiresAt: Date }[]) =>
  lines(
    b('Open invitations'),
    open.length === 0 ? 'None. Press <b>Invite</b> to get a link.' : null,
    ...open.slice(0, maxNamed).map(({ expiresAt }, index) => `${index + 1}. Good until ${clock(expiresAt)}`),
    open.length > maxNamed ? `… and ${open.length - maxNamed} more` : null,
  )

export const revoked = 'Revoked. The link no longer works.'

export const revokedAll = (count: number) =>
  count === 0
    ? 'No invitations are open any more.'
    : `Revoked ${counted(count, 'invitation', 'invitations')}. ${count === 1 ? 'The link no longer works' : 'The links no longer work'}.`

/** The refusal of one more invitation, as a pop-up. Plain text of at most 200 characters. */
export const tooManyInvitations = `You already have ${maxInvitations} open invitations, so I didn’t make a new link. Revoke one first.`

export const revokedTooLate = 'Too late: the invitation has been accepted or has expired.'

// ── Opening an invitation ──────────────────────────────────────────────────────────────────────────────────────

export const invitationUsed = 'Somebody has already used this invitation. Ask for a new link.'

export const invitationRevoked = 'This invitation has been revoked. Ask for a new link.'

export const invitationExpired = `This invitation has expired: it was good for ${lengthIn('hour', invitationMs)}. Ask for a new link.`

export const invitationClosed = 'The account behind this invitation is being removed, so you can’t join.'

export const invitationUnknown = 'I don’t recognise this invitation. Ask for a new link.'

export const invitationOwn =
  'This invitation is for your own wallet. Send the link to somebody else: it still works.'

export const invitedAlready = 'You can already order with this wallet.'

export const ownsAnother =
  'You have your own account here, so you can’t be an agent too. To accept, /disconnect first, then open the link again.'

/** Shown when an invitation is opened. Nothing changes until Join is pressed. */
export const askToJoin = (
  shop: string | null,
  limit: Pesewas,
  present: Pick<AgentPermissions, 'shop'> | null,
) =>
  lines(
    shop === null
      ? `${b('Join as an agent?')} Somebody has invited you to order with their wallet.`
      : `${b('Join as an agent?')} ${b(foreignWord(shop))} (name given by the shop) has invited you to order with its wallet.`,
    `You’ll order here, up to ${formatGhs(limit)} a day, and that wallet will pay. The owner will see your orders and the numbers in them.`,
    present === null
      ? 'If you didn’t expect this, press <b>Don’t join</b>.'
      : `Right now, ${walletOf(present.shop)} pays for your orders. If you join, you’ll lose access to it, and your waiting orders will be cancelled. You won’t be able to open your old orders and saved numbers any more: export them first.`,
  )

export const youJoined = 'You’ve joined.'

export const stayed = 'Nothing changed.'
