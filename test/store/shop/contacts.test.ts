import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/database/id.ts'
import { whoIsMeant } from '../../../src/orders/buying/contact-lookup.ts'
import type { Phone } from '../../../src/provider/phone.ts'
import { type Book, bookOf, maxContacts } from '../../../src/store/shop/contacts.ts'
import { newStore } from '../../support/database.ts'

const owners: Book = { accountId: 'a', agentId: 0 }
const now = new Date('2026-11-21T10:00:00Z')
const at = { now, newId }
const later = (days: number) => ({ now: new Date(now.getTime() + days * 86_400_000), newId })

let numbers = 0
const newPhone = (): Phone => `024${String(1_000_000 + ++numbers).padStart(7, '0')}` as Phone

const rowsOf = async (store: Awaited<ReturnType<typeof newStore>>, book = owners) =>
  (await store.contacts.page(book, 0, 5_000)).map(({ name, phone }) => `${name}=${phone}`)

test('the owners of an account share one book of contacts, and each agent has a book of their own', () => {
  expect(bookOf({ accountId: 'a', userId: 5, role: 'owner' })).toEqual({ accountId: 'a', agentId: 0 })
  expect(bookOf({ accountId: 'a', userId: 5, role: 'agent' })).toEqual({ accountId: 'a', agentId: 5 })
})

describe('the undo of a change of contacts', () => {
  test('reverts all saved and renamed contacts, and works once', async () => {
    const store = await newStore()
    const [ama, kofi, esi] = [newPhone(), newPhone(), newPhone()]
    await store.contacts.save(
      owners,
      [
        { phone: ama, name: 'Ama' },
        { phone: kofi, name: 'Kofi' },
      ],
      at,
    )
    const before = await store.contacts.page(owners, 0, 9)
    const change = await store.contacts.save(
      owners,
      [
        { phone: ama, name: 'Ama' },
        { phone: kofi, name: 'Wrong' },
        { phone: esi, name: 'Esi' },
        { phone: kofi, name: 'Kofi Mensah' },
      ],
      at,
    )
    expect(
      [change.saved, change.renamed, change.unchanged].map((part) => part.map(({ name }) => name)),
    ).toEqual([['Esi'], ['Kofi Mensah'], ['Ama']])
    const undone = await store.contacts.undo(owners, change.id ?? '', now)
    expect(undone).toEqual({
      back: [{ phone: kofi, name: 'Kofi' }],
      removed: [{ phone: esi, name: 'Esi' }],
      kept: 0,
    })
    expect(await store.contacts.page(owners, 0, 9)).toEqual(before)
    expect(await store.contacts.undo(owners, change.id ?? '', now)).toBeNull()
  })

  test('keeps contacts that were changed again later', async () => {
    const store = await newStore()
    const [ama, kofi] = [newPhone(), newPhone()]
    const saved = await store.contacts.save(
      owners,
      [
        { phone: ama, name: 'Ama' },
        { phone: kofi, name: 'Kofi' },
      ],
      at,
    )
    await store.contacts.save(owners, [{ phone: kofi, name: 'Kofi Mensah' }], at)
    expect(await store.contacts.undo(owners, saved.id ?? '', now)).toEqual({
      back: [],
      removed: [{ phone: ama, name: 'Ama' }],
      kept: 1,
    })
    expect(await rowsOf(store)).toEqual([`Kofi Mensah=${kofi}`])
  })

  test('is refused if the change is empty, of another book or a week old', async () => {
    const store = await newStore()
    const phone = newPhone()
    const saved = await store.contacts.save(owners, [{ phone, name: 'Kofi' }], at)
    expect((await store.contacts.save(owners, [{ phone, name: 'Kofi' }], at)).id).toBeNull()
    expect(await store.contacts.undo({ accountId: 'b', agentId: 0 }, saved.id ?? '', now)).toBeNull()
    expect(await store.contacts.undo({ accountId: 'a', agentId: 7 }, saved.id ?? '', now)).toBeNull()
    expect(await store.contacts.undo(owners, saved.id ?? '', later(8).now)).toBeNull()
    expect(await rowsOf(store)).toEqual([`Kofi=${phone}`])
  })

  test('is refused if the change is a week old and was therefore deleted', async () => {
    const store = await newStore()
    const phone = newPhone()
    const saved = await store.contacts.save(owners, [{ phone, name: 'Kofi' }], at)
    await store.contacts.save({ accountId: 'b', agentId: 0 }, [{ phone, name: 'Ama' }], later(8))
    expect(await store.contacts.undo(owners, saved.id ?? '', now)).toBeNull()
  })

  test('happens once even if it is pressed several times at the same moment', async () => {
    const store = await newStore()
    const phone = newPhone()
    await store.contacts.save(owners, [{ phone, name: 'Kofi' }], at)
    const [kofi] = await store.contacts.page(owners, 0, 1)
    const removed = await store.contacts.remove(owners, kofi?.id ?? '', at)
    const undo = () => store.transaction((tx) => tx.contacts.undo(owners, removed?.changeId ?? '', now))
    const undone = await Promise.all([undo(), undo(), undo()])
    expect(undone.filter(Boolean)).toHaveLength(1)
    expect(await store.contacts.page(owners, 0, 9)).toEqual([kofi])
  })
})

test('a full book of contacts takes no new contact, lets saved ones be renamed, and limits no other book', async () => {
  const store = await newStore()
  const many = Array.from({ length: maxContacts }, (_, index) => ({
    phone: newPhone(),
    name: `P ${index}`,
  }))
  await store.transaction((tx) => tx.contacts.save(owners, many, at))
  const [first] = many
  const change = await store.contacts.save(
    owners,
    [
      { phone: first?.phone ?? newPhone(), name: 'Renamed' },
      { phone: newPhone(), name: 'New' },
    ],
    at,
  )
  expect(change.renamed).toHaveLength(1)
  expect(change.left.map(({ name }) => name)).toEqual(['New'])
  expect(await store.contacts.count(owners)).toBe(maxContacts)
  const own = await store.contacts.save(
    { accountId: 'a', agentId: 7 },
    [{ phone: newPhone(), name: 'New' }],
    at,
  )
  expect(own.saved).toHaveLength(1)
})

describe('a typed name of a contact', () => {
  const saved = async (...names: string[]) => {
    const store = await newStore()
    await store.contacts.save(
      owners,
      names.map((name) => ({ phone: newPhone(), name })),
      at,
    )
    return async (key: string) =>
      (await whoIsMeant(store.contacts, owners, key, 9)).map(({ name }) => name).sort()
  }

  test('finds contacts of that name, else those whose name begins with it, else those with a word that does', async () => {
    const meant = await saved('Kofi', 'Kofi Mensah', 'Ama Kofi', 'Kofí', 'Isaac')
    expect(await meant('kofi')).toEqual(['Kofi', 'Kofí'])
    expect(await meant('kofi m')).toEqual(['Kofi Mensah'])
    expect(await meant('mensah')).toEqual(['Kofi Mensah'])
    expect(await meant('isa')).toEqual(['Isaac'])
  })

  test('means nobody if it has only one or two letters, or is inside a word', async () => {
    const meant = await saved('Isaac', 'Kwame')
    expect(await meant('i')).toEqual([])
    expect(await meant('is')).toEqual([])
    expect(await meant('wame')).toEqual([])
  })
})

test('a search for contacts finds parts of names and numbers, in the person’s own book only', async () => {
  const store = await newStore()
  await store.contacts.save(owners, [{ phone: '0241234567' as Phone, name: 'Kwame Ölçer' }], at)
  await store.contacts.save(
    { accountId: 'b', agentId: 0 },
    [{ phone: '0241234567' as Phone, name: 'Kwame' }],
    at,
  )
  const found = async (key: string, digits: string | null) =>
    (await store.contacts.containing(owners, { key, digits }, 9)).map(({ name }) => name)
  expect(await found('wam', null)).toEqual(['Kwame Ölçer'])
  expect(await found('olcer', null)).toEqual(['Kwame Ölçer'])
  expect(await found('', '34567')).toEqual(['Kwame Ölçer'])
  expect(await found('', null)).toEqual([])
  expect(await found('x', '999')).toEqual([])
})
