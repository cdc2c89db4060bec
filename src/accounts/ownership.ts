import type { OwnershipNews } from '../relay/notice.ts'
import type { Member } from '../store/accounts.ts'
import type { Queries } from '../store/store.ts'
import { resign } from './departure.ts'

/**
 * Who owns an account. Whoever proves its key and secret is an owner, so the key may be in hands that its holder knows
 * nothing of: each owner is told when somebody becomes one, and can remove those who came later. A new key ends all
 * other owners, for whoever has only the old one has no right to it any more; agents whom they had invited are paused
 * until an owner lets them order again.
 */

/** Somebody as owners read of them. A private chat has its person's id. */
export type Someone = Pick<Member, 'userId' | 'name'>

/** An owner who is told of somebody new. */
export const tellOfOwner = async (tx: Queries, accountId: string, who: Someone, at: Date): Promise<void> => {
  for (const { role, userId, chatId } of await tx.accounts.members(accountId)) {
    if (role !== 'owner' || userId === who.userId) continue
    await oweOwnership(tx, chatId, { what: 'connected', who: plain(who), atMs: at.getTime() }, at)
  }
}

/** Others type the account's key with wrong secrets. */
export const tellOfWrongSecrets = async (tx: Queries, accountId: string, at: Date): Promise<void> => {
  for (const { role, chatId } of await tx.accounts.members(accountId)) {
    if (role === 'owner') await oweOwnership(tx, chatId, { what: 'guessed', atMs: at.getTime() }, at)
  }
}

/** The account has a new key: all other owners are let go, and told why. */
export const takeOver = async (
  tx: Queries,
  accountId: string,
  owner: Someone & { chatId: number },
  at: Date,
): Promise<void> => {
  const others = (await tx.accounts.members(accountId)).filter(
    ({ role, userId }) => role === 'owner' && userId !== owner.userId,
  )
  if (others.length === 0) return
  const news = { what: 'replaced', who: plain(owner), atMs: at.getTime() } as const
  let cancelled = 0
  for (const other of others) cancelled += await letOwnerGo(tx, other, owner.chatId, news, at)
  const paused = await pauseAgentsOf(tx, accountId, others, at)
  const summary = {
    what: 'took_over',
    owners: others.map(plain),
    paused: paused.map(plain),
    cancelled,
  } as const
  await oweOwnership(tx, owner.chatId, summary, at)
}

/**
 * Somebody else had connected the new key first, as an account of its own: it becomes part of this one, and its members
 * are let go.
 */
export const absorb = async (
  tx: Queries,
  from: string,
  to: string,
  owner: Someone & { chatId: number },
  at: Date,
): Promise<void> => {
  const news = { what: 'replaced', who: plain(owner), atMs: at.getTime() } as const
  for (const member of await tx.accounts.members(from)) {
    if (member.role === 'owner') await letOwnerGo(tx, member, owner.chatId, news, at)
    else await dismiss(tx, member, owner.chatId, at)
  }
  await tx.accounts.absorb(from, to)
  await tx.accounts.erase(from)
}

const dismiss = async (tx: Queries, agent: Member, reportTo: number, at: Date): Promise<void> => {
  const news = { what: 'dismissed', ...(await resign(tx, agent, reportTo, at)) } as const
  await tx.notices.owe(agent.chatId, { kind: 'agency', subject: 'account', news }, at)
}

/** An owner removes one who came later. @returns the agents who are paused by that; null where they may not. */
export const removeOwner = async (
  tx: Queries,
  remover: Pick<Member, 'userId' | 'accountId'>,
  ownerId: number,
  at: Date,
): Promise<{ owner: Member; paused: Member[]; cancelled: number } | null> => {
  const self = await tx.accounts.hold(remover.userId, remover.accountId)
  const owner = await tx.accounts.hold(ownerId, remover.accountId)
  if (!self || !owner || !mayRemove(self, owner)) return null
  const news = { what: 'removed', who: plain(self), atMs: at.getTime() } as const
  const cancelled = await letOwnerGo(tx, owner, self.chatId, news, at)
  return { owner, paused: await pauseAgentsOf(tx, owner.accountId, [owner], at), cancelled }
}

/** Whoever has taken somebody else's key came later than its holder. */
export const mayRemove = (self: Member, owner: Member): boolean =>
  self.role === 'owner' &&
  owner.role === 'owner' &&
  self.userId !== owner.userId &&
  self.createdAt.getTime() < owner.createdAt.getTime()

/**
 * @param reportTo the chat of the owner who is told of their open orders too.
 * @returns how many of their waiting orders were cancelled.
 */
const letOwnerGo = async (
  tx: Queries,
  owner: Member,
  reportTo: number,
  news: Omit<Extract<OwnershipNews, { what: 'replaced' | 'removed' }>, 'cancelled' | 'open'>,
  at: Date,
): Promise<number> => {
  const { cancelled, open } = await resign(tx, owner, reportTo, at)
  await oweOwnership(tx, owner.chatId, { ...news, cancelled, open }, at)
  return cancelled
}

const pauseAgentsOf = async (
  tx: Queries,
  accountId: string,
  owners: Member[],
  at: Date,
): Promise<Member[]> => {
  const gone = new Set(owners.map(({ userId }) => userId))
  const agents = (await tx.accounts.members(accountId)).filter(
    ({ role, invitedBy, pausedAt }) =>
      role === 'agent' && invitedBy !== null && gone.has(invitedBy) && pausedAt === null,
  )
  for (const { userId, chatId } of agents) {
    await tx.accounts.patchAgent(userId, { pausedAt: at })
    await tx.notices.owe(chatId, { kind: 'agency', subject: 'account', news: { what: 'paused' } }, at)
  }
  return agents
}

const plain = ({ userId, name }: Someone): Someone => ({ userId, name })

const oweOwnership = (tx: Queries, chatId: number, news: OwnershipNews, at: Date): Promise<number> =>
  tx.notices.owe(chatId, { kind: 'ownership', subject: 'account', news }, at)
