import type { OwnershipNews } from '../domain/notice.ts'
import type { Member } from '../store/accounts/accounts.ts'
import type { Queries } from '../store/store.ts'
import { resign } from './departure.ts'

/**
 * The owners of an account. Anybody with its key and secret can become one, even somebody who stole them. So each owner
 * is told when somebody else becomes one, and can remove those who joined later. When an owner connects a new key, all
 * other owners are removed, because the old key no longer gives a right to the account. Agents whom a removed owner had
 * invited are paused until an owner resumes them.
 */

export type Someone = Pick<Member, 'userId' | 'name'>

export const enqueueNewOwner = async (
  tx: Queries,
  accountId: string,
  who: Someone,
  at: Date,
): Promise<void> => {
  for (const { role, userId, chatId } of await tx.accounts.members(accountId)) {
    if (role !== 'owner' || userId === who.userId) continue
    await enqueueOwnership(tx, chatId, { what: 'connected', who: plain(who), atMs: at.getTime() }, at)
  }
}

export const enqueueWrongSecrets = async (tx: Queries, accountId: string, at: Date): Promise<void> => {
  for (const { role, chatId } of await tx.accounts.members(accountId)) {
    if (role === 'owner') await enqueueOwnership(tx, chatId, { what: 'guessed', atMs: at.getTime() }, at)
  }
}

/** Removes all owners except one because the account has a new key, and tells them why. */
export const removeOtherOwners = async (
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
  await enqueueOwnership(tx, owner.chatId, summary, at)
}

/**
 * Merges the account `from` into `to`. `from` exists because somebody had connected the new key of `to` as a separate
 * account. The members of `from` are removed.
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

const dismiss = async (tx: Queries, agent: Member, ownerChatId: number, at: Date): Promise<void> => {
  const news = { what: 'dismissed', ...(await resign(tx, agent, ownerChatId, at)) } as const
  await tx.notices.enqueue(agent.chatId, { kind: 'agency', subject: 'account', news }, at)
}

/**
 * Removes an owner who joined later than `remover`. @returns the owner, the agents who were paused as a result, and the
 * number of cancelled orders; null if `mayRemove` forbids the removal.
 */
export const removeOwner = async (
  tx: Queries,
  remover: Pick<Member, 'userId' | 'accountId'>,
  ownerId: number,
  at: Date,
): Promise<{ owner: Member; paused: Member[]; cancelled: number } | null> => {
  const self = await tx.accounts.memberIn(remover.userId, remover.accountId)
  const owner = await tx.accounts.memberIn(ownerId, remover.accountId)
  if (!self || !owner || !mayRemove(self, owner)) return null
  const news = { what: 'removed', who: plain(self), atMs: at.getTime() } as const
  const cancelled = await letOwnerGo(tx, owner, self.chatId, news, at)
  return { owner, paused: await pauseAgentsOf(tx, owner.accountId, [owner], at), cancelled }
}

/**
 * Whether `self` may remove the owner. Only owners who joined later may be removed, because somebody who stole the key
 * joins later than its rightful holder.
 */
export const mayRemove = (self: Member, owner: Member): boolean =>
  self.role === 'owner' &&
  owner.role === 'owner' &&
  self.userId !== owner.userId &&
  self.createdAt.getTime() < owner.createdAt.getTime()

/**
 * Detaches an owner and tells them why.
 * @param ownerChatId the chat of the owner who gets news of their open orders from now on.
 * @returns how many of their queued orders were cancelled.
 */
const letOwnerGo = async (
  tx: Queries,
  owner: Member,
  ownerChatId: number,
  news: Omit<Extract<OwnershipNews, { what: 'replaced' | 'removed' }>, 'cancelled' | 'open'>,
  at: Date,
): Promise<number> => {
  const { cancelled, open } = await resign(tx, owner, ownerChatId, at)
  await enqueueOwnership(tx, owner.chatId, { ...news, cancelled, open }, at)
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
    await tx.notices.enqueue(chatId, { kind: 'agency', subject: 'account', news: { what: 'paused' } }, at)
  }
  return agents
}

const plain = ({ userId, name }: Someone): Someone => ({ userId, name })

const enqueueOwnership = (tx: Queries, chatId: number, news: OwnershipNews, at: Date): Promise<void> =>
  tx.notices.enqueue(chatId, { kind: 'ownership', subject: 'account', news }, at)
