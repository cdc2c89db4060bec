import { randomBytes } from 'node:crypto'
import { crashPoint } from '../base/crash-point.ts'
import { type AgencyNews, cardOf } from '../domain/notice.ts'
import { isAhead } from '../domain/times/ahead.ts'
import { allowanceOf, isSameDay, limitToday } from '../orders/permission/agent-limit.ts'
import { type Pesewas, pesewas } from '../provider/money.ts'
import { type Account, type AgentPatch, isLeft, type Member, overseerOf } from '../store/accounts/accounts.ts'
import type { AgentInvitation } from '../store/accounts/invitations.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Keyring } from '../wallets/credentials/keyring.ts'
import { endDrafts, leave, type Resignation, resign } from './departure.ts'
import { movePerson } from './moving.ts'
import { removeOwner } from './ownership.ts'

/**
 * Agents are people whom an owner invites to order with the account's wallet. They need no credentials and see none. The
 * owners set how much an agent may spend in a day, on which networks, and which news of the agent's orders the owners
 * get.
 *
 * An invitation is a link with a secret of 192 bits, of which only a keyed hash is stored. It is valid for an hour and
 * for one person, unless an owner revokes it or the owner who made it leaves the account.
 */
export interface Agency {
  /**
   * Makes an invitation.
   * @returns its secret, which is not stored anywhere, its name for `revoke`, and when it expires. Null if
   * `maxInvitations` are open already.
   */
  invite(owner: Party): Promise<{ secret: string; name: string; expiresAt: Date } | null>
  /** Revokes an open invitation. @param name see `invitationName`. @returns false if it is no longer open. */
  revoke(owner: Party, name: string): Promise<boolean>
  /** Revokes all open invitations of the account. @returns how many there were. */
  revokeAll(owner: Party): Promise<number>
  /**
   * Accepts an invitation, or only checks it.
   * @param sure true if the person pressed `Join`; false if they only opened the invitation, which changes nothing.
   */
  accept(user: Guest, secret: string, sure: boolean): Promise<Acceptance>
  /**
   * Changes what an agent may do, or what owners are told about them. The agent is told when they are paused or
   * resumed. @returns null if they are not an agent of that account.
   */
  changeAgent(owner: Party, agentId: number, patch: Omit<AgentPatch, 'resumedAt'>): Promise<Member | null>
  /**
   * Asks the owner who oversees the agent to raise today's limit for this purchase.
   * @returns `asked` if an earlier request has no answer yet; `fits` if the limit suffices for the purchase by now, or
   * if the purchase is no longer a draft.
   */
  askForMore(agent: Party, purchase: LimitAsk): Promise<'sent' | 'asked' | 'fits'>
  /**
   * Answers an agent who asked for a higher limit, and notifies them.
   * @param raisedPesewas the limit for today; null: it stays the same.
   * @returns null if they are not an agent of the account, the question was answered or is of an earlier day, or the
   * limit is already that high.
   */
  answerAsk(
    owner: Party,
    agentId: number,
    answer: { raisedPesewas: Pesewas | null; purchaseId: string },
  ): Promise<Member | null>
  /**
   * Removes an owner who joined later than the owner who acts; see `ownership`. @returns null if that is not allowed,
   * or was already done.
   */
  removeOwner(owner: Party, ownerId: number): Promise<Awaited<ReturnType<typeof removeOwner>>>
  /** Removes an agent. @returns null if they are no longer an agent of that account. */
  remove(owner: Party, agentId: number): Promise<(Resignation & { name: string | null }) | null>
}

/** The person who acts, and for which account. */
export interface Party {
  userId: number
  chatId: number
  accountId: string
}

/** A purchase that costs an agent more than is left of their daily limit. */
export interface LimitAsk {
  purchaseId: string
  neededPesewas: Pesewas
}

interface Guest {
  userId: number
  chatId: number
  /** The person's name in Telegram; null if it cannot be used as a name. */
  name: string | null
}

/** Only `accepted` has changed anything. */
export type Acceptance =
  | { kind: 'accepted' }
  /** The person is already an agent of that account. */
  | { kind: 'already' }
  /** The person is an owner of that account. */
  | { kind: 'own' }
  /** The person is an owner of another account. */
  | { kind: 'owner_elsewhere' }
  /**
   * The person still has to confirm that they want to join the shop (null if it has no name) and, with `isElsewhere`,
   * to leave the shop whose agent they are now.
   */
  | { kind: 'asked'; shop: string | null; isElsewhere: boolean }
  | { kind: 'used' }
  | { kind: 'revoked' }
  | { kind: 'expired' }
  /** The account is closing, or is gone. */
  | { kind: 'closed' }
  | { kind: 'unknown' }

export const invitationMs = 60 * 60_000

export const maxInvitations = 10

/** The daily limit of a new agent until an owner changes it: GHS 100.00. */
export const firstLimitPesewas = pesewas(10_000)

/** A name for one of an account's open invitations, short enough for the data of a button. */
export const invitationName = ({ tokenHash }: Pick<AgentInvitation, 'tokenHash'>): string =>
  tokenHash.slice(0, 16)

export const createAgency = (options: {
  store: Store
  keyring: Keyring
  now: () => Date
  onNotice: () => void
}): Agency => {
  const { store, keyring, now, onNotice } = options

  return {
    invite: async ({ userId, accountId }) => {
      const secret = randomBytes(24).toString('base64url')
      const createdAt = now()
      const expiresAt = new Date(createdAt.getTime() + invitationMs)
      const tokenHash = keyring.invitationHashes(secret)[0] ?? ''
      const invitation = { tokenHash, createdBy: userId, accountId, createdAt, expiresAt }
      const isMade = await store.transaction(
        async (tx) => {
          if ((await tx.invitations.openOf(accountId, createdAt)).length >= maxInvitations) return false
          await tx.invitations.insert(invitation)
          return true
        },
        { accounts: [accountId] },
      )
      return isMade ? { secret, name: invitationName({ tokenHash }), expiresAt } : null
    },

    revokeAll: ({ accountId }) => store.invitations.revokeAll(accountId, now()),

    revoke: async ({ accountId }, name) => {
      const open = await store.invitations.openOf(accountId, now())
      const meant = open.find((each) => invitationName(each) === name)
      return meant !== undefined && store.invitations.revoke(meant.tokenHash, accountId, now())
    },

    accept: async (user, secret, sure) => {
      const at = now()
      const hashes = keyring.invitationHashes(secret)
      const acceptance = await movePerson(
        store,
        user.userId,
        (tx, member) => accept(tx, user, member, hashes, { sure, at }),
        async ({ invitations }) => {
          const invitation = await invitations.byHashes(hashes)
          return invitation ? [invitation.accountId] : []
        },
      )
      if (acceptance.kind === 'accepted') crashPoint('invitation_accepted')
      onNotice()
      return acceptance
    },

    changeAgent: async ({ accountId }, agentId, patch) => {
      const at = now()
      const settled = await store.transaction(
        async (tx) => {
          const agent = await tx.accounts.memberIn(agentId, accountId)
          if (agent?.role !== 'agent') return null
          await tx.accounts.patchAgent(agentId, {
            ...patch,
            ...(patch.pausedAt === null && { resumedAt: at }),
          })
          const after = await tx.accounts.member(agentId)
          const isNews = after !== null && (after.pausedAt === null) !== (agent.pausedAt === null)
          if (isNews) await enqueueNews(tx, agent.chatId, { what: 'paused' }, at)
          return after
        },
        { accounts: [accountId] },
      )
      onNotice()
      return settled
    },

    askForMore: async ({ userId, accountId }, ask) => {
      const at = now()
      const result = await store.transaction(
        async (tx) => {
          const agent = await tx.accounts.memberIn(userId, accountId)
          const allowance = agent && (await allowanceOf(tx, agent, at))
          if (!agent || !allowance || ask.neededPesewas <= allowance.leftPesewas) return 'fits'
          if ((await tx.purchases.byId(ask.purchaseId))?.state !== 'draft') return 'fits'
          if (agent.askedAt && isSameDay(agent.askedAt, at)) return 'asked'
          await tx.accounts.patchAgent(userId, { askedAt: at, askedFor: ask.purchaseId })
          const owner = overseerOf(await tx.accounts.members(accountId), agent)
          if (owner) await enqueueNews(tx, owner.chatId, { what: 'asks', agentId: userId, ...ask }, at)
          await tx.notices.enqueue(agent.chatId, cardOf(ask.purchaseId), at)
          return 'sent'
        },
        { accounts: [accountId] },
      )
      onNotice()
      return result
    },

    answerAsk: async ({ accountId }, agentId, { raisedPesewas, purchaseId }) => {
      const at = now()
      const settled = await store.transaction(
        async (tx) => {
          const agent = await tx.accounts.memberIn(agentId, accountId)
          if (agent?.role !== 'agent' || !agent.askedAt || !isSameDay(agent.askedAt, at)) return null
          // The button may be on the message of an earlier question.
          if (agent.askedFor !== purchaseId) return null
          const limit = limitToday(agent, at)
          // An old button must not lower a limit that was raised since.
          if (raisedPesewas !== null && (limit === null || raisedPesewas <= limit)) return null
          const raised = raisedPesewas === null ? {} : { raisedPesewas, raisedAt: at }
          await tx.accounts.patchAgent(agentId, { askedAt: null, askedFor: null, ...raised })
          await enqueueNews(tx, agent.chatId, { what: 'answered', purchaseId, raisedPesewas }, at)
          const purchase = await tx.purchases.byId(purchaseId)
          if (purchase?.userId === agentId) await tx.notices.enqueue(agent.chatId, cardOf(purchaseId), at)
          return tx.accounts.member(agentId)
        },
        { accounts: [accountId] },
      )
      onNotice()
      return settled
    },

    removeOwner: async (owner, ownerId) => {
      const removed = await store.transaction((tx) => removeOwner(tx, owner, ownerId, now()), {
        accounts: [owner.accountId],
      })
      onNotice()
      return removed
    },

    remove: async (owner, agentId) => {
      const at = now()
      const removed = await store.transaction(
        async (tx) => {
          const agent = await tx.accounts.memberIn(agentId, owner.accountId)
          if (agent?.role !== 'agent') return null
          const resignation = await resign(tx, agent, owner.chatId, at)
          await enqueueNews(tx, agent.chatId, { what: 'dismissed', ...resignation }, at)
          return { ...resignation, name: agent.name }
        },
        { accounts: [owner.accountId] },
      )
      onNotice()
      return removed
    },
  }
}

const accept = async (
  tx: Queries,
  user: Guest,
  member: Member | null,
  hashes: string[],
  { sure, at }: { sure: boolean; at: Date },
): Promise<Acceptance> => {
  const invitation = await tx.invitations.byHashes(hashes)
  if (!invitation) return { kind: 'unknown' }
  const { accountId, tokenHash, createdBy } = invitation
  if (member?.accountId === accountId) return { kind: member.role === 'owner' ? 'own' : 'already' }
  const inviter = await tx.accounts.member(createdBy)
  const ended = endOf(invitation, await tx.accounts.byId(accountId), inviter, at)
  if (ended) return { kind: ended }
  if (member?.role === 'owner') return { kind: 'owner_elsewhere' }
  if (!sure) {
    const { name: shop } = await tx.shops.of(accountId)
    return { kind: 'asked', shop, isElsewhere: member !== null }
  }
  if (!(await tx.invitations.spend(tokenHash, user.userId, at))) return { kind: 'used' }
  if (member) await leave(tx, member, 'confirmed', at)
  await tx.accounts.attach({ ...user, accountId, role: 'agent', invitedBy: createdBy }, at)
  await tx.accounts.patchAgent(user.userId, { dailyLimitPesewas: firstLimitPesewas })
  // If the person was an owner before, their drafts may show costs, the balance and the references of others.
  await endDrafts(tx, { userId: user.userId, accountId }, at)
  await enqueueNews(tx, user.chatId, { what: 'welcome' }, at)
  if (inviter) await enqueueNews(tx, inviter.chatId, { what: 'joined', agentId: user.userId }, at)
  return { kind: 'accepted' }
}

/** Why the invitation can no longer be accepted; null while it is valid. */
const endOf = (
  invitation: AgentInvitation,
  account: Account | null,
  inviter: Member | null,
  at: Date,
): 'used' | 'revoked' | 'expired' | 'closed' | null => {
  if (invitation.usedAt) return 'used'
  if (invitation.revokedAt) return 'revoked'
  if (!isAhead(invitation.expiresAt, 'agentInvitation', at)) return 'expired'
  if (isLeft(account)) return 'closed'
  const isOwner = inviter?.role === 'owner' && inviter.accountId === invitation.accountId
  return isOwner ? null : 'revoked'
}

const enqueueNews = (
  tx: Pick<Queries, 'notices'>,
  chatId: number,
  news: AgencyNews,
  at: Date,
): Promise<void> => tx.notices.enqueue(chatId, { kind: 'agency', subject: 'account', news }, at)
