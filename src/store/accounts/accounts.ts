import type { Client } from '../../database/database.ts'
import type { Account as AccountRow, Member as MemberRow } from '../../database/row-types.ts'
import type { PriceRule } from '../../domain/selling/price-rule.ts'
import { overSince } from '../../domain/times/ahead.ts'
import { type Pesewas, pesewasOrNull } from '../../provider/money.ts'
import { type Note, noNote } from '../changes.ts'
import { reminderCause, toppedUpCause } from '../orders/purchases.ts'
import { ruleColumns, ruleOf } from '../rule-columns.ts'

/** A wallet at the provider, with its sealed credentials. */
export interface Account {
  id: string
  keyHash: string
  sealedKey: string
  sealedSecret: string
  accountType: string | null
  balancePesewas: Pesewas | null
  balanceAt: Date | null
  /**
   * The highest balance that is possible after the charges known to the bot. If the real balance is lower, no order
   * here explains the difference; see `wallets/low-balance.ts`.
   */
  explainedPesewas: Pesewas | null
  /** When the provider began to refuse the credentials; see `wallets/refused-credentials.ts`. */
  unauthorizedSince: Date | null
  /** When the provider refused a balance read too, and the owners were told. */
  refusalToldAt: Date | null
  /** When the refused credentials are tried next, by reading the balance. */
  verifyAt: Date | null
  frozenUntil: Date | null
  callbackSeenAt: Date | null
  eraseBy: Date | null
  /** When the owner asked to have the whole account forgotten. Erasing the credentials does not clear this. */
  forgetAt: Date | null
  auditSince: Date | null
}

export const isErased = (account: Account | null): boolean => !account?.sealedSecret

/** Whether the last owner has left, so that the account takes no new orders. */
export const isLeft = (account: Account | null): boolean => isErased(account) || account?.eraseBy !== null

/** A balance to store, with or without the balance that the known charges explain. */
type KnownBalance = Pick<Account, 'balancePesewas' | 'balanceAt' | 'accountType'> &
  Partial<Pick<Account, 'explainedPesewas'>>

/** A person who belongs to an account, as an owner or an agent. */
export interface Member {
  userId: number
  chatId: number
  accountId: string
  role: 'owner' | 'agent'
  createdAt: Date
  name: string | null
  /**
   * The owner who invited this agent and gets news of the agent's orders. This property and all below are set only for
   * agents.
   */
  invitedBy: number | null
  /** The most that the agent's orders of one day may cost in all; null for no limit. */
  dailyLimitPesewas: Pesewas | null
  /** The limit that an owner set for the day of `raisedAt` only; null: none. */
  raisedPesewas: Pesewas | null
  raisedAt: Date | null
  /** When the agent asked for a higher limit; null once an owner has answered. */
  askedAt: Date | null
  /** The purchase for which the agent asked. */
  askedFor: string | null
  /** The rule that makes this agent's prices; null: the agent sees what all agents see. */
  priceRule: PriceRule | null
  /** The networks that the agent may order on; null: all. */
  networks: string[] | null
  pausedAt: Date | null
  /** When the agent was last allowed to order again; null for never. */
  resumedAt: Date | null
  notifyLevel: AgentNotifyLevel
}

/** Which news about an agent's orders an owner gets. Each level includes the ones before it. */
export const agentNotifyLevels = ['nothing', 'problems', 'ends', 'each'] as const

export type AgentNotifyLevel = (typeof agentNotifyLevels)[number]

/** A member, and the account as it was when the member was read. */
export type MemberOfAccount = Member & { account: Account }

type NewMember = Pick<Member, 'userId' | 'chatId' | 'accountId' | 'role'> &
  Partial<Pick<Member, 'name' | 'invitedBy'>>

/** The owner who gets news about an agent: the one who invited them, or else the earliest. */
export const overseerOf = (members: readonly Member[], { invitedBy }: Pick<Member, 'invitedBy'>) => {
  const owners = members
    .filter(({ role }) => role === 'owner')
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  return owners.find(({ userId }) => userId === invitedBy) ?? owners[0] ?? null
}

/** What an owner may change about an agent. */
export type AgentPatch = Partial<
  Pick<
    Member,
    | 'dailyLimitPesewas'
    | 'raisedPesewas'
    | 'raisedAt'
    | 'askedAt'
    | 'askedFor'
    | 'priceRule'
    | 'networks'
    | 'pausedAt'
    | 'resumedAt'
    | 'notifyLevel'
  >
>

const accepted = { unauthorizedSince: null, refusalToldAt: null, verifyAt: null }

/** The highest balance that fits the column. A higher one is shown but not stored. */
const maxPesewas = 2_147_483_647

const memberQueries = (client: Client, note: Note) => ({
  member: async (userId: number): Promise<Member | null> => {
    const row = await client.member.findUnique({ where: { userId: BigInt(userId) } })
    return row && memberOf(row)
  },

  /**
   * The person's membership with its account; null if they belong to no account. PostgreSQL reads both in one
   * statement.
   */
  memberWithAccount: async (userId: number): Promise<MemberOfAccount | null> => {
    const row = await client.member.findUnique({
      where: { userId: BigInt(userId) },
      include: { account: true },
    })
    return row && { ...memberOf(row), account: accountIn(row.account) }
  },

  /**
   * The member who is about to order with the account, together with the account; null if the person is not a member of
   * it. Call it in a transaction that has the account to itself, so that neither of them changes before the order is
   * written.
   */
  orderer: async (userId: number, accountId: string): Promise<MemberOfAccount | null> => {
    const row = await client.member.findUnique({
      where: { userId: BigInt(userId), accountId },
      include: { account: true },
    })
    return row && { ...memberOf(row), account: accountIn(row.account) }
  },

  members: async (accountId: string): Promise<Member[]> =>
    (await client.member.findMany({ where: { accountId } })).map(memberOf),

  /**
   * Agents who are not paused, and who have neither joined, been resumed nor begun an order after `since`. Drafts
   * that the bot offered unasked count only once they are confirmed.
   */
  unusedAgents: async (since: Date, limit: number): Promise<Member[]> => {
    const agents = await client.member.findMany({
      where: {
        role: 'agent',
        pausedAt: null,
        createdAt: { lt: since },
        OR: [{ resumedAt: null }, { resumedAt: { lt: since } }],
      },
    })
    const unused: Member[] = []
    for (const agent of agents) {
      const { accountId, userId } = agent
      const begun = { accountId, userId, createdAt: { gte: since }, ...wanted }
      const newest = { where: begun, select: { id: true } }
      const used = await client.purchase.findFirst({ ...newest, orderBy: { createdAt: 'desc' } })
      if (!used) unused.push(memberOf(agent))
      if (unused.length === limit) break
    }
    return unused
  },

  /** The member of that account; null if the user does not belong to it. */
  memberIn: async (userId: number, accountId: string): Promise<Member | null> => {
    const row = await client.member.findUnique({ where: { userId: BigInt(userId), accountId } })
    return row && memberOf(row)
  },

  /**
   * Makes a person a member of the account, and clears earlier agent settings. If two transactions attach a new person
   * to two accounts, they conflict, and one of them runs again. The `createdAt` of a new member is always later than
   * the others', even after the clock was set back, because it decides whom an owner may remove.
   */
  attach: async (member: NewMember, now: Date): Promise<void> => {
    const userId = BigInt(member.userId)
    const newest = await client.member.findFirst({
      where: { accountId: member.accountId, createdAt: { gt: now }, userId: { not: userId } },
      orderBy: { createdAt: 'desc' },
      select: { createdAt: true },
    })
    const createdAt = newest ? new Date(newest.createdAt.getTime() + 1) : now
    const data = { ...memberRow(member), createdAt }
    const before = await client.member.findUnique({ where: { userId }, select: { accountId: true } })
    if (before && before.accountId !== member.accountId) await forgetAccountOf(client, userId)
    const { count } = await client.member.updateMany({ where: { userId }, data })
    if (count === 0) await client.member.create({ data: { userId, ...data } })
    note({ kind: 'connected', accountId: member.accountId, userId: member.userId, role: member.role })
  },

  patchAgent: async (userId: number, patch: AgentPatch): Promise<void> => {
    const { networks, priceRule, ...rest } = patch
    await client.member.updateMany({
      where: { userId: BigInt(userId), role: 'agent' },
      data: {
        ...rest,
        ...(priceRule !== undefined && ruleColumns(priceRule)),
        ...(networks !== undefined && { networks: networks && JSON.stringify(networks) }),
      },
    })
  },

  detach: async (userId: number): Promise<void> => {
    const where = { userId: BigInt(userId) }
    const row = await client.member.findUnique({ where })
    const { count } = await client.member.deleteMany({ where })
    if (row && count === 1) note({ kind: 'left', accountId: row.accountId, userId, role: roleOf(row.role) })
    // The person's alerts about the account that they leave are removed.
    await client.alert.deleteMany({ where: { chatId: BigInt(userId), name: { in: ['key', 'balance'] } } })
    await forgetAccountOf(client, where.userId)
  },
})

/** Deletes what a person set up about an account that they leave. */
const forgetAccountOf = async (client: Client, userId: bigint): Promise<void> => {
  await client.reminder.deleteMany({ where: { userId } })
  await client.preference.updateMany({ where: { userId }, data: { slowNetworks: '' } })
}

/** Purchases that a person began, or confirmed. */
const wanted = {
  OR: [
    { confirmedAt: { not: null } },
    { NOT: [toppedUpCause, reminderCause].map((startsWith) => ({ cause: { startsWith } })) },
  ],
}

export const accountStore = (client: Client, note: Note = noNote) => ({
  ...memberQueries(client, note),

  byId: async (id: string): Promise<Account | null> =>
    accountOf(await client.account.findUnique({ where: { id } })),

  /**
   * The account with one of these hashes of its API key. If several accounts match, because keys were changed
   * carelessly, the earliest hash in the list decides.
   */
  byKeyHash: async (hashes: string[]): Promise<Account | null> => {
    const rows = await client.account.findMany({ where: { keyHash: { in: hashes } } })
    const [first] = rows.sort((a, b) => hashes.indexOf(a.keyHash) - hashes.indexOf(b.keyHash))
    return accountOf(first ?? null)
  },

  insert: async (
    account: Pick<Account, 'id' | 'keyHash' | 'sealedKey' | 'sealedSecret' | 'accountType'> & { now: Date },
  ): Promise<void> => {
    const { now, ...data } = account
    await client.account.create({ data: { ...data, createdAt: now } })
  },

  /** Stores new credentials, clears marks of earlier refusals and cancels a planned erasure. */
  replaceCredentials: async (
    id: string,
    credentials: Pick<Account, 'keyHash' | 'sealedKey' | 'sealedSecret'>,
  ): Promise<void> => {
    const current = { ...accepted, eraseBy: null, forgetAt: null }
    await client.account.update({ where: { id }, data: { ...credentials, ...current } })
    note({ kind: 'credentials_replaced', accountId: id })
  },

  erase: async (id: string): Promise<void> => {
    await client.account.update({
      where: { id },
      data: {
        keyHash: `erased:${id}`,
        sealedKey: '',
        sealedSecret: '',
        unauthorizedSince: new Date(0),
        refusalToldAt: null,
        verifyAt: null,
        eraseBy: null,
      },
    })
    note({ kind: 'erased', accountId: id })
  },

  /** Moves all orders of one account to another, because both are one wallet. */
  absorb: async (from: string, to: string): Promise<void> => {
    const change = { where: { accountId: from }, data: { accountId: to } }
    await client.purchase.updateMany(change)
    await client.order.updateMany(change)
    await client.recipient.updateMany(change)
    await client.enquiry.updateMany(change)
    await client.complaint.updateMany(change)
    await client.request.updateMany(change)
  },

  /** Closes the account because its last owner has left: it takes no new orders, and is erased by `eraseBy`. */
  closeBy: async (id: string, eraseBy: Date): Promise<void> => {
    await client.account.update({ where: { id }, data: { eraseBy } })
    note({ kind: 'closing', accountId: id })
  },

  /** Cancels the planned erasure of the account. @returns false if none was planned. */
  keep: async (id: string): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, eraseBy: { not: null } },
      data: { eraseBy: null, forgetAt: null },
    })
    return count === 1
  },

  closing: async (): Promise<Account[]> => {
    const rows = await client.account.findMany({ where: { eraseBy: { not: null } } })
    return rows.flatMap((row) => accountOf(row) ?? [])
  },

  /**
   * Stores a balance that was read; see `wallets/low-balance.ts`.
   * @param knownAt the time of the stored balance that the caller has seen and this one replaces.
   * @returns false if another balance was stored in the meantime, or if this one does not fit the column.
   */
  rememberBalance: async (
    id: string,
    { accountType, ...balance }: KnownBalance,
    knownAt: Date | null,
  ): Promise<boolean> => {
    if (Math.abs(balance.balancePesewas ?? 0) > maxPesewas) return false
    const { count } = await client.account.updateMany({
      where: { id, balanceAt: knownAt },
      data: { ...balance, ...(accountType && { accountType }) },
    })
    return count === 1
  },

  /** Subtracts a newly known charge from `explainedPesewas`, unless that is null. */
  lowerExplained: async (id: string, pesewas: Pesewas): Promise<void> => {
    const where = { id, explainedPesewas: { not: null } }
    await client.account.updateMany({ where, data: { explainedPesewas: { decrement: pesewas } } })
  },

  explainBalance: async (id: string, explainedPesewas: Pesewas): Promise<void> => {
    await client.account.updateMany({ where: { id }, data: { explainedPesewas } })
  },

  freeze: async (id: string, until: Date): Promise<void> => {
    await client.account.update({ where: { id }, data: { frozenUntil: until } })
    note({ kind: 'frozen', accountId: id, until })
  },

  /**
   * Marks that the provider refused the credentials. A balance read will check that. @returns false if they were marked
   * already.
   */
  suspect: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, unauthorizedSince: null },
      data: { unauthorizedSince: now, verifyAt: now },
    })
    if (count === 1) note({ kind: 'suspected', accountId: id })
    return count === 1
  },

  /**
   * Marks that the provider refused a balance read too. @returns true if that is new, so that the owners have to be
   * told.
   */
  markRefused: async (id: string, now: Date): Promise<boolean> => {
    const { count } = await client.account.updateMany({
      where: { id, unauthorizedSince: { not: null }, refusalToldAt: null, sealedKey: { not: '' } },
      data: { refusalToldAt: now },
    })
    if (count === 1) note({ kind: 'refused', accountId: id })
    return count === 1
  },

  verifyAgain: async (id: string, verifyAt: Date): Promise<void> => {
    await client.account.updateMany({
      where: { id, unauthorizedSince: { not: null }, sealedKey: { not: '' } },
      data: { verifyAt },
    })
  },

  dueToVerify: async (now: Date, limit: number): Promise<string[]> => {
    const rows = await client.account.findMany({
      where: {
        unauthorizedSince: { not: null },
        sealedKey: { not: '' },
        OR: [{ verifyAt: null }, ...overSince('verifyAt', now).map((verifyAt) => ({ verifyAt }))],
      },
      select: { id: true },
      orderBy: { verifyAt: 'asc' },
      take: limit,
    })
    return rows.map(({ id }) => id)
  },

  /**
   * Marks that the provider accepts the credentials.
   * @param askedAt when the accepted request was sent. A request from before the refusal proves nothing, unless the
   * refusal is in the future, because the clock was set back since.
   * @returns true if they counted as refused until now.
   */
  markAuthorized: async (id: string, askedAt: Date, now: Date): Promise<boolean> => {
    const refused = [{ unauthorizedSince: { lte: askedAt } }, { unauthorizedSince: { gt: now } }]
    const { count } = await client.account.updateMany({
      where: { id, OR: refused, sealedKey: { not: '' } },
      data: accepted,
    })
    if (count === 1) note({ kind: 'accepted', accountId: id })
    return count === 1
  },

  sawCallback: async (id: string, at: Date): Promise<void> => {
    await client.account.updateMany({ where: { id }, data: { callbackSeenAt: at } })
  },
})

export type AccountStore = ReturnType<typeof accountStore>

export const accountOf = (row: AccountRow | null): Account | null => row && accountIn(row)

/** The account in a row. Its balance is the lower of the stored one and the one that the known charges explain. */
export const accountIn = (row: AccountRow): Account => ({
  ...row,
  balancePesewas: pesewasOrNull(lower(row.balancePesewas, row.explainedPesewas)),
  explainedPesewas: pesewasOrNull(row.explainedPesewas),
})

/**
 * The lower of the two balances, because the stored one does not include charges that became known after it was read.
 */
const lower = (read: number | null, explained: number | null): number | null =>
  read === null || explained === null ? read : Math.min(read, explained)

const memberRow = ({ chatId, accountId, role, name = null, invitedBy = null }: NewMember) => ({
  chatId: BigInt(chatId),
  accountId,
  role,
  name,
  invitedBy: invitedBy === null ? null : BigInt(invitedBy),
  dailyLimitPesewas: null,
  raisedPesewas: null,
  raisedAt: null,
  askedAt: null,
  askedFor: null,
  ...ruleColumns(null),
  networks: null,
  pausedAt: null,
  resumedAt: null,
  notifyLevel: 'problems' satisfies AgentNotifyLevel,
})

/** Anything but `agent` is an owner. */
export const roleOf = (role: string): Member['role'] => (role === 'agent' ? 'agent' : 'owner')

/** The member in a row: ids become numbers, the limit becomes pesewas, the networks a list. */
export const memberOf = ({ ruleKind, ruleValue, roundPesewas, ...row }: MemberRow): Member => ({
  ...row,
  userId: Number(row.userId),
  chatId: Number(row.chatId),
  role: roleOf(row.role),
  invitedBy: row.invitedBy === null ? null : Number(row.invitedBy),
  dailyLimitPesewas: pesewasOrNull(row.dailyLimitPesewas),
  raisedPesewas: pesewasOrNull(row.raisedPesewas),
  priceRule: ruleOf({ ruleKind, ruleValue, roundPesewas }),
  networks: row.networks === null ? null : (JSON.parse(row.networks) as string[]),
  notifyLevel: row.notifyLevel as AgentNotifyLevel,
})
