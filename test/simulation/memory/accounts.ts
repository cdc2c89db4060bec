import { isAhead } from '../../../src/domain/ahead.ts'
import { minus } from '../../../src/provider/money.ts'
import type { Account, AccountStore, Member } from '../../../src/store/accounts/accounts.ts'
import { keyOf as alertKey } from './alerts.ts'
import type { AccountRow, MemberRow, Tables } from './rows.ts'
import { changed } from './table.ts'

/** A charge that became known after the balance was read is not in it. */
const accountOf = (row: AccountRow): Account => {
  const { balancePesewas: read, explainedPesewas: explained } = row
  return read === null || explained === null || read <= explained
    ? row
    : { ...row, balancePesewas: explained }
}
const memberOf = (row: MemberRow): Member => row

const accepted = { unauthorizedSince: null, refusalToldAt: null, verifyAt: null }

/** A balance above this does not fit the column. */
const maxPesewas = 2_147_483_647

export const memoryAccounts = ({
  accounts,
  alerts,
  members,
  purchases,
  orders,
  requests,
}: Tables): AccountStore => {
  const change = (id: string, patch: Partial<Account>): void => {
    const row = accounts.get(id)
    if (row) accounts.set(id, changed(row, patch))
  }
  const orNull = (row: AccountRow | undefined): Account | null => (row ? accountOf(row) : null)

  return {
    byId: async (id) => orNull(accounts.get(id)),
    byKeyHash: async (hashes) => {
      const known = accounts.where(({ keyHash }) => hashes.includes(keyHash))
      return orNull(known.sort((a, b) => hashes.indexOf(a.keyHash) - hashes.indexOf(b.keyHash))[0])
    },

    insert: async ({ now, ...account }) => {
      const blank = {
        balancePesewas: null,
        balanceAt: null,
        explainedPesewas: null,
        ...accepted,
        frozenUntil: null,
        callbackSeenAt: null,
        eraseBy: null,
        forgetAt: null,
        auditSince: null,
      }
      accounts.set(account.id, { ...blank, ...account, createdAt: now })
    },

    replaceCredentials: async (id, credentials) =>
      change(id, { ...credentials, ...accepted, eraseBy: null, forgetAt: null }),

    erase: async (id) =>
      change(id, {
        keyHash: `erased:${id}`,
        sealedKey: '',
        sealedSecret: '',
        unauthorizedSince: new Date(0),
        refusalToldAt: null,
        verifyAt: null,
        eraseBy: null,
      }),

    absorb: async (from, to) => {
      for (const row of purchases.where(({ accountId }) => accountId === from))
        purchases.set(row.id, { ...row, accountId: to })
      for (const row of orders.where(({ accountId }) => accountId === from))
        orders.set(row.id, { ...row, accountId: to })
      const made = requests.get(from)
      if (!made) return
      const times = [...made.times, ...(requests.get(to)?.times ?? [])].sort((a, b) => a - b)
      requests.set(to, { accountId: to, times })
      requests.delete(from)
    },

    closeBy: async (id, eraseBy) => change(id, { eraseBy }),

    keep: async (id) => {
      if (!accounts.get(id)?.eraseBy) return false
      change(id, { eraseBy: null, forgetAt: null })
      return true
    },

    closing: async () => accounts.where(({ eraseBy }) => eraseBy !== null).map(accountOf),

    rememberBalance: async (id, { accountType, ...balance }, knownAt) => {
      if (Math.abs(balance.balancePesewas ?? 0) > maxPesewas) return false
      const account = accounts.get(id)
      const isSame = account && account.balanceAt?.getTime() === knownAt?.getTime()
      if (!isSame) return false
      change(id, { ...balance, ...(accountType && { accountType }) })
      return true
    },

    lowerExplained: async (id, pesewas) => {
      const explained = accounts.get(id)?.explainedPesewas ?? null
      if (explained !== null) change(id, { explainedPesewas: minus(explained, pesewas) })
    },

    explainBalance: async (id, explainedPesewas) => change(id, { explainedPesewas }),

    freeze: async (id, until) => change(id, { frozenUntil: until }),

    suspect: async (id, now) => {
      const account = accounts.get(id)
      if (!account || account.unauthorizedSince !== null) return false
      change(id, { unauthorizedSince: now, verifyAt: now })
      return true
    },

    markRefused: async (id, now) => {
      const account = accounts.get(id)
      if (!account?.unauthorizedSince || account.refusalToldAt || account.sealedKey === '') return false
      change(id, { refusalToldAt: now })
      return true
    },

    verifyAgain: async (id, verifyAt) => {
      const account = accounts.get(id)
      if (account?.unauthorizedSince && account.sealedKey !== '') change(id, { verifyAt })
    },

    dueToVerify: async (now, limit) =>
      accounts
        .where(({ unauthorizedSince, sealedKey }) => unauthorizedSince !== null && sealedKey !== '')
        .filter(({ verifyAt }) => verifyAt === null || !isAhead(verifyAt, 'verifyAt', now))
        .sort((a, b) => Number(a.verifyAt) - Number(b.verifyAt))
        .slice(0, limit)
        .map(({ id }) => id),

    markAuthorized: async (id, askedAt) => {
      const account = accounts.get(id)
      const since = account?.unauthorizedSince
      if (!since || since > askedAt || account.sealedKey === '') return false
      change(id, accepted)
      return true
    },

    sawCallback: async (id, at) => change(id, { callbackSeenAt: at }),

    member: async (userId) => {
      const row = members.get(userId)
      return row ? memberOf(row) : null
    },

    memberWithAccount: async (userId) => {
      const row = members.get(userId)
      const account = row && accounts.get(row.accountId)
      return account ? { ...memberOf(row), account: accountOf(account) } : null
    },

    orderer: async (userId, accountId) => {
      const row = members.get(userId)
      const account = accounts.get(accountId)
      return account && row?.accountId === accountId
        ? { ...memberOf(row), account: accountOf(account) }
        : null
    },

    members: async (accountId) => members.where((row) => row.accountId === accountId).map(memberOf),

    unusedAgents: async (since, limit) =>
      members
        .where(({ role, pausedAt }) => role === 'agent' && pausedAt === null)
        .filter(({ createdAt, resumedAt }) => createdAt < since && (resumedAt === null || resumedAt < since))
        .filter(({ accountId, userId }) => {
          const isTheirs = (each: { accountId: string; userId: number }) =>
            each.accountId === accountId && each.userId === userId
          return purchases.where(isTheirs).every(({ createdAt }) => createdAt < since)
        })
        .slice(0, limit)
        .map(memberOf),

    memberIn: async (userId, accountId) => {
      const row = members.get(userId)
      return row?.accountId === accountId ? memberOf(row) : null
    },

    attach: async (member, now) => {
      const blank = {
        dailyLimitPesewas: null,
        networks: null,
        pausedAt: null,
        resumedAt: null,
        notifyLevel: 'problems' as const,
      }
      const later = members
        .where(
          (row) => row.accountId === member.accountId && row.userId !== member.userId && row.createdAt > now,
        )
        .map(({ createdAt }) => createdAt.getTime() + 1)
      const createdAt = new Date(Math.max(now.getTime(), ...later))
      members.set(member.userId, { ...blank, name: null, invitedBy: null, ...member, createdAt })
    },

    patchAgent: async (userId, patch) => {
      const row = members.get(userId)
      if (row?.role === 'agent') members.set(userId, { ...row, ...patch })
    },

    detach: async (userId) => {
      members.delete(userId)
      for (const name of ['key', 'balance'] as const) alerts.delete(alertKey(userId, name))
    },
  }
}
