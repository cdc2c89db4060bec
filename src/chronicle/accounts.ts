import type { AccountStore } from '../store/accounts.ts'
import type { AccountEvent } from './event.ts'

/** The queries about accounts. They also note who comes and goes, and how the provider answers for the account. */
export const watchAccounts = (accounts: AccountStore, note: (event: AccountEvent) => void): AccountStore => ({
  ...accounts,
  attach: async (member, now) => {
    await accounts.attach(member, now)
    note({ kind: 'connected', accountId: member.accountId, userId: member.userId, role: member.role })
  },
  detach: async (userId) => {
    const member = await accounts.member(userId)
    await accounts.detach(userId)
    if (member) note({ kind: 'left', accountId: member.accountId, userId, role: member.role })
  },
  replaceCredentials: async (accountId, credentials) => {
    await accounts.replaceCredentials(accountId, credentials)
    note({ kind: 'credentials_replaced', accountId })
  },
  closeBy: async (accountId, eraseBy) => {
    await accounts.closeBy(accountId, eraseBy)
    note({ kind: 'closing', accountId })
  },
  erase: async (accountId) => {
    await accounts.erase(accountId)
    note({ kind: 'erased', accountId })
  },
  suspect: async (accountId, now) => {
    const isFirst = await accounts.suspect(accountId, now)
    if (isFirst) note({ kind: 'suspected', accountId })
    return isFirst
  },
  markRefused: async (accountId, now) => {
    const isFirst = await accounts.markRefused(accountId, now)
    if (isFirst) note({ kind: 'refused', accountId })
    return isFirst
  },
  markAuthorized: async (accountId, askedAt) => {
    const isNews = await accounts.markAuthorized(accountId, askedAt)
    if (isNews) note({ kind: 'accepted', accountId })
    return isNews
  },
  freeze: async (accountId, until) => {
    await accounts.freeze(accountId, until)
    note({ kind: 'frozen', accountId, until })
  },
})
