import { z } from 'zod'
import type { Client } from '../../database/database.ts'
import type { Contact as ContactRow } from '../../database/row-types.ts'
import type { Order } from '../../domain/order/order.ts'
import { nameKey } from '../../lists/names/contact-name.ts'
import type { NamedNumber } from '../../lists/names/named-number.ts'
import { isPhone, type Phone } from '../../provider/phone.ts'
import { batchesOf } from '../batches.ts'
import { orderOf, withRecipients } from '../orders/order-rows.ts'

/** A contact book: phone numbers saved with names. The owners of an account share one; each agent has their own. */
export interface Book {
  accountId: string
  /** The agent's user id; 0 for the owners' book. */
  agentId: number
}

export const bookOf = ({
  accountId,
  userId,
  role,
}: {
  accountId: string
  userId: number
  role: 'owner' | 'agent'
}): Book => ({ accountId, agentId: role === 'owner' ? 0 : userId })

export interface Contact {
  id: string
  phone: Phone
  name: string
}

export const maxContacts = 2_000

/** One change of a book, and how to undo it. */
export interface BookChange {
  /** Identifies the change for `undo`; null if nothing changed. */
  id: string | null
  saved: NamedNumber[]
  /** The entries that had another name before, each with that former name. */
  renamed: NamedNumber[]
  unchanged: NamedNumber[]
  /** The entries that were not saved, because the book is full. */
  left: NamedNumber[]
}

/** How long a change can be undone, ms. */
const undoMs = 7 * 86_400_000

export const contactStore = (client: Client) => ({
  byId: async (book: Book, id: string): Promise<Contact | null> => {
    const row = await client.contact.findFirst({ where: { id, ...keyOf(book) } })
    return row && contactOf(row)
  },

  byPhone: async (book: Book, phone: Phone): Promise<Contact | null> => {
    const row = await client.contact.findFirst({ where: { phone, ...keyOf(book) } })
    return row && contactOf(row)
  },

  /** Maps numbers to names. Numbers that are not saved are left out. */
  names: async (book: Book, phones: string[]): Promise<Map<string, string>> => {
    const rows = await client.contact.findMany({ where: { ...keyOf(book), phone: { in: phones } } })
    return new Map(rows.map(contactOf).map(({ phone, name }) => [phone, name]))
  },

  byPhones: async (book: Book, phones: string[]): Promise<Contact[]> =>
    (await client.contact.findMany({ where: { ...keyOf(book), phone: { in: phones } } })).map(contactOf),

  phones: async (book: Book): Promise<string[]> => {
    const rows = await client.contact.findMany({ where: keyOf(book), select: { phone: true } })
    return rows.map(({ phone }) => phone)
  },

  count: (book: Book): Promise<number> => client.contact.count({ where: keyOf(book) }),

  /** A page of the book, sorted by name. */
  page: async (book: Book, skip: number, take: number): Promise<Contact[]> =>
    (
      await client.contact.findMany({
        where: keyOf(book),
        orderBy: [{ nameKey: 'asc' }, { phone: 'asc' }],
        skip,
        take,
      })
    ).map(contactOf),

  /** The contacts with exactly that name. @param key the name as folded by `nameKey`. */
  named: async (book: Book, key: string, take: number): Promise<Contact[]> =>
    (
      await client.contact.findMany({
        where: { ...keyOf(book), nameKey: key },
        orderBy: { phone: 'asc' },
        take,
      })
    ).map(contactOf),

  /**
   * The contacts whose name or number contains what was typed, sorted by name.
   * @param key a part of a name as folded by `nameKey`; empty to search no names.
   * @param digits a part of a number; null to search no numbers.
   */
  containing: async (
    book: Book,
    { key, digits }: { key: string; digits: string | null },
    take: number,
  ): Promise<Contact[]> => {
    const either = [
      ...(key === '' ? [] : [{ nameKey: { contains: key } }]),
      ...(digits === null ? [] : [{ phone: { contains: digits } }]),
    ]
    if (either.length === 0) return []
    const rows = await client.contact.findMany({
      where: { ...keyOf(book), OR: either },
      orderBy: [{ nameKey: 'asc' }, { phone: 'asc' }],
      take,
    })
    return rows.map(contactOf)
  },

  /**
   * The newest orders for a number, newest first.
   * @param userId only orders by that user; null for everybody of the account.
   */
  ordersFor: async (
    { accountId, userId, phone }: { accountId: string; userId: number | null; phone: Phone },
    take: number,
  ): Promise<Order[]> => {
    const rows = await client.recipient.findMany({
      where: { accountId, phone, ...(userId === null ? {} : { order: { userId: BigInt(userId) } }) },
      orderBy: { order: { createdAt: 'desc' } },
      take,
      select: { order: { include: withRecipients } },
    })
    return rows.map(({ order }) => orderOf(order))
  },

  /** The numbers of the newest single orders, newest first. Lists and removed numbers are left out. */
  recentRecipients: async (
    { accountId, userId }: { accountId: string; userId: number | null },
    take: number,
  ): Promise<{ phone: Phone; network: string }[]> => {
    const rows = await client.order.findMany({
      where: { accountId, ...(userId === null ? {} : { userId: BigInt(userId) }) },
      orderBy: { createdAt: 'desc' },
      take,
      select: { id: true, network: true, listed: true },
    })
    const networks = new Map(rows.filter(({ listed }) => !listed).map(({ id, network }) => [id, network]))
    const recipients = await client.recipient.findMany({
      where: { orderId: { in: [...networks.keys()] } },
      select: { orderId: true, phone: true },
    })
    const phones = Map.groupBy(recipients, ({ orderId }) => orderId)
    return [...networks].flatMap(([id, network]) =>
      (phones.get(id) ?? []).flatMap(({ phone }) => (isPhone(phone) ? { phone, network } : [])),
    )
  },

  /**
   * Saves numbers with their names. A number that is saved already gets the new name. If a number occurs twice, the
   * last one counts.
   */
  save: async (
    book: Book,
    numbers: readonly NamedNumber[],
    { now, newId }: { now: Date; newId: () => string },
  ): Promise<BookChange> => {
    const wanted = [...new Map(numbers.map((number) => [number.phone, number])).values()]
    const before = await rowsOf(client, book, wanted)
    let room = maxContacts - (await client.contact.count({ where: keyOf(book) }))
    const change: BookChange = { id: null, saved: [], renamed: [], unchanged: [], left: [] }
    const entries: Entry[] = []
    for (const number of wanted) {
      const known = before.get(number.phone)
      if (known?.name === number.name) change.unchanged.push(number)
      else if (!known && room <= 0) change.left.push(number)
      else {
        if (known) change.renamed.push(number)
        else {
          change.saved.push(number)
          room -= 1
        }
        entries.push({ phone: number.phone, before: known ? stateOf(known) : null, after: number.name })
      }
    }
    const saved = change.saved.map(({ phone, name }) => rowOf(book, { id: newId(), phone, name }, now))
    for (const data of batchesOf(saved, rowsAtOnce)) await client.contact.createMany({ data })
    for (const { phone, name } of change.renamed) {
      await client.contact.updateMany({
        where: { ...keyOf(book), phone },
        data: { name, nameKey: nameKey(name), updatedAt: now },
      })
    }
    return { ...change, id: await record(client, book, entries, { now, newId }) }
  },

  /** Removes a contact. @returns the change; null if the book does not have the contact. */
  remove: async (
    book: Book,
    id: string,
    { now, newId }: { now: Date; newId: () => string },
  ): Promise<{ contact: Contact; changeId: string } | null> => {
    const row = await client.contact.findFirst({ where: { id, ...keyOf(book) } })
    if (!row) return null
    const { count } = await client.contact.deleteMany({ where: { id, ...keyOf(book) } })
    if (count === 0) return null
    const entry = { phone: row.phone, before: stateOf(row), after: null }
    const changeId = await record(client, book, [entry], { now, newId })
    return changeId === null ? null : { contact: contactOf(row), changeId }
  },

  /**
   * Undoes a change. Entries that were changed again later stay as they are.
   * @returns null if the change was undone already, or is too old.
   */
  undo: async (book: Book, changeId: string, now: Date): Promise<Undone | null> => {
    const change = await client.bookChange.findFirst({ where: { id: changeId, ...keyOf(book) } })
    if (!change || change.createdAt.getTime() + undoMs < now.getTime()) return null
    const { count } = await client.bookChange.deleteMany({ where: { id: changeId } })
    if (count === 0) return null
    const entries = Entries.parse(JSON.parse(change.entries))
    const present = await rowsOf(client, book, entries)
    const own = entries.filter(({ phone, after }) => (present.get(phone)?.name ?? null) === after)
    for (const part of batchesOf(own, rowsAtOnce)) {
      const phones = part.map(({ phone }) => phone)
      await client.contact.deleteMany({ where: { ...keyOf(book), phone: { in: phones } } })
    }
    const back = own.flatMap(({ phone, before }) =>
      before === null ? [] : [{ ...keyOf(book), phone, ...before, nameKey: nameKey(before.name) }],
    )
    for (const data of batchesOf(back, rowsAtOnce)) await client.contact.createMany({ data })
    return {
      back: own.flatMap(({ phone, before }) => (before === null ? [] : [{ phone, name: before.name }])),
      removed: own.flatMap(({ phone, before, after }) =>
        before === null && after !== null ? [{ phone, name: after }] : [],
      ),
      kept: entries.length - own.length,
    }
  },
})

export type ContactStore = ReturnType<typeof contactStore>

export interface Undone {
  /** Entries restored to what they were before. */
  back: NamedNumber[]
  /** Entries that were removed again. */
  removed: NamedNumber[]
  /** How many entries were left alone, because they were changed again later. */
  kept: number
}

/** The name of each number before a change and after it; null if the number is not in the book. */
const Entries = z.array(
  z.object({
    phone: z.string().refine(isPhone),
    before: z
      .object({ id: z.string(), name: z.string(), createdAt: z.coerce.date(), updatedAt: z.coerce.date() })
      .nullable(),
    after: z.string().nullable(),
  }),
)
type Entry = z.input<typeof Entries>[number]

const keyOf = ({ accountId, agentId }: Book) => ({ accountId, agentId: BigInt(agentId) })

export const contactOf = ({ id, phone, name }: ContactRow): Contact => ({
  id,
  phone: phone as Phone,
  name,
})

const stateOf = ({ id, name, createdAt, updatedAt }: ContactRow) => ({ id, name, createdAt, updatedAt })

const rowOf = (book: Book, { id, phone, name }: Contact, now: Date) => ({
  ...keyOf(book),
  id,
  phone,
  name,
  nameKey: nameKey(name),
  createdAt: now,
  updatedAt: now,
})

const rowsOf = async (
  client: Client,
  book: Book,
  numbers: readonly { phone: string }[],
): Promise<Map<string, ContactRow>> => {
  const found = new Map<string, ContactRow>()
  for (const part of batchesOf(numbers, rowsAtOnce)) {
    const phones = part.map(({ phone }) => phone)
    const rows = await client.contact.findMany({ where: { ...keyOf(book), phone: { in: phones } } })
    for (const row of rows) found.set(row.phone, row)
  }
  return found
}

/** Stores how to undo a change, and deletes the records of changes that are too old to be undone. */
const record = async (
  client: Client,
  book: Book,
  entries: Entry[],
  { now, newId }: { now: Date; newId: () => string },
): Promise<string | null> => {
  await client.bookChange.deleteMany({ where: { createdAt: { lt: new Date(now.getTime() - undoMs) } } })
  if (entries.length === 0) return null
  const id = newId()
  await client.bookChange.create({
    data: { id, ...keyOf(book), entries: JSON.stringify(entries), createdAt: now },
  })
  return id
}

/** Keeps the parameters of a statement within the limits of both databases. */
const rowsAtOnce = 200
