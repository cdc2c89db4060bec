// @module-tag screens
import { readSheet } from 'read-excel-file/node'
import { describe, expect } from 'vitest'
import { asksToConfirm } from '../../../src/telegram/cards/words/draft.ts'
import { sendNumber } from '../../../src/telegram/features/buying/words.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { accountIdOf, addMember } from '../accounts/members.ts'
import {
  cardReads,
  changeDatabase,
  dataOf,
  inDatabase,
  newPhone,
  order,
  ordersFor,
  place,
  pressOnCard,
  toastOf,
} from '../shop.ts'

let world: World

test.beforeAll(({ world: shared }) => {
  world = shared
})

/** Sends the words. @returns the bot's next message that matches. */
const says = ({ chat }: Pick<Reseller, 'chat'>, text: string, answer: string | RegExp) => {
  const { message_id: after } = chat.say(text)
  return chat.waitForText(answer, { after })
}

/** Presses the button. @returns the message that then matches: the same one or a new one. */
const presses = ({ chat }: Pick<Reseller, 'chat'>, label: string, answer: string | RegExp) => {
  chat.press(label)
  return chat.waitForText(answer)
}

const save = (reseller: Pick<Reseller, 'chat'>, name: string, phone: string) => {
  const { message_id: after } = reseller.chat.sendContact(name, phone)
  return reseller.chat.waitForText('Saved:', { after })
}

const labelsOf = (message: { reply_markup?: { inline_keyboard: { text: string }[][] } }): string[] =>
  (message.reply_markup?.inline_keyboard ?? []).flat().map(({ text }) => text)

const savedIn = (accountId: string): { name: unknown; phone: unknown; agentId: unknown }[] =>
  inDatabase(world, (database) =>
    database
      .prepare('SELECT name, phone, agentId FROM Contact WHERE accountId = ? ORDER BY nameKey, phone')
      .all(accountId)
      .map(({ name, phone, agentId }) => ({ name, phone, agentId })),
  )

describe('the book of contacts', () => {
  test('takes names and numbers in any sequence, shows pages by name, and can be searched', async () => {
    const reseller = await world.newReseller()
    const empty = await says(reseller, '/customers', 'No numbers saved yet')
    expect(labelsOf(empty).join()).toMatch(/Add.*Import.*Home/)
    await presses(reseller, 'Add', 'Add a customer')
    const names = [
      'zainab',
      'Émile',
      'Kwame',
      'abena',
      'Yaw',
      'Esi',
      'Kojo',
      'Adwoa',
      'Fiifi',
      'Baaba',
      'Afua',
      'Nii',
    ]
    const phones = names.map(() => newPhone())
    const lines = names.map((name, at) =>
      at % 2 ? `${phones[at]} - ${name}` : `${at + 1}. ${name}: ${phones[at]}`,
    )
    const done = await says(reseller, lines.join('\n'), 'Done.')
    expect(done.text).toMatch(/Saved: 12/)
    const first = await says(reseller, '/customers', /12 saved · page 1 of 3/)
    const shown = [...(first.text ?? '').matchAll(/^• (.+) · /gm)].map(([, name]) => name)
    expect(shown).toEqual(['abena', 'Adwoa', 'Afua', 'Baaba'])
    reseller.chat.press('▶')
    await reseller.chat.waitForText('page 2 of 3')
    reseller.chat.press('▶')
    const last = await reseller.chat.waitForText('page 3 of 3')
    expect(last.message_id).toBe(first.message_id)
    expect(labelsOf(last)).toContain('zainab')
    expect(labelsOf(last)).not.toContain('▶')

    await presses(reseller, 'Search', 'Which customer?')
    await says(reseller, 'EMI', new RegExp(`Émile[\\s\\S]*${phones[1]}`))
    await says(reseller, '/customers kw', new RegExp(`Kwame[\\s\\S]*${phones[2]}`))
    await says(reseller, `/customers ${phones[4]?.slice(-5)}`, new RegExp(`Yaw[\\s\\S]*${phones[4]}`))
    await says(reseller, '/customers nobody', 'No customer found for nobody')
  })

  test('is exported as a file that can be imported again, with leading zeros kept and formulas harmless', async () => {
    const reseller = await world.newReseller()
    const [kofi, sum] = [newPhone(), newPhone()]
    await save(reseller, 'Kofi', kofi)
    await save(reseller, '=SUM(A1)', sum)
    const listed = await says(reseller, '/customers', '2 saved')
    reseller.chat.press('⋯')
    await reseller.chat.waitForButton('Export')
    reseller.chat.press('Export')
    const file = await reseller.chat.waitForFile({ after: listed.message_id })
    expect(file.name).toMatch(/^customers-\d{4}-\d\d-\d\d\.xlsx$/)
    reseller.chat.press('CSV')
    const csv = await reseller.chat.waitForFile({ after: file.message.message_id })
    const kept = (phone: string) => `"=""${phone}"""`
    expect(csv.bytes.toString('utf8')).toBe(
      `\ufeffCustomer,Number\r\nKofi,${kept(kofi)}\r\n'=SUM(A1),${kept(sum)}\r\n`,
    )

    const other = await world.newReseller()
    await says(other, '/customers', 'No numbers saved yet')
    await presses(other, 'Import', 'Import customers')
    other.chat.sendFile('book.xlsx', file.bytes)
    expect((await other.chat.waitForText('Done.')).text).toMatch(/Saved: 2/)
    expect(savedIn(accountIdOf(world, other)).map(({ phone }) => phone)).toEqual(
      expect.arrayContaining([kofi, sum]),
    )
  })

  test('reports which imported lines were saved, renamed, unchanged or unreadable, and can undo the import', async () => {
    const reseller = await world.newReseller()
    const [known, renamed, fresh] = [newPhone(), newPhone(), newPhone()]
    await save(reseller, 'Ama', known)
    await save(reseller, 'Kofi', renamed)
    await says(reseller, '/customers', '2 saved')
    reseller.chat.press('⋯')
    await reseller.chat.waitForButton('Import')
    await presses(reseller, 'Import', 'Import customers')
    const list = [
      'Name\tNumber',
      `Ama\t${known}`,
      `Kofi Mensah\t${renamed}`,
      `${fresh}\tEsi`,
      'Yaw\t02412',
      'only words',
      '',
    ]
    reseller.chat.sendFile('customers.txt', list.join('\n'))
    const result = await reseller.chat.waitForText('Done.')
    expect(result.text).toMatch(/Saved: 1\nRenamed: 1\nAlready saved, unchanged: 1/)
    expect(result.text).toMatch(
      /2 lines I couldn’t read\n• line 5, Yaw 02412: not a Ghanaian mobile number\n• line 6, only words: no number/,
    )
    const accountId = accountIdOf(world, reseller)
    expect(savedIn(accountId).map(({ name }) => name)).toEqual(['Ama', 'Esi', 'Kofi Mensah'])
    await presses(
      reseller,
      'Undo',
      /Undone\.\nEsi \(\d{10}\) is no longer saved\.\nKofi \(\d{10}\) is saved as before/,
    )
    expect(savedIn(accountId).map(({ name, phone }) => [name, phone])).toEqual([
      ['Ama', known],
      ['Kofi', renamed],
    ])
    const again = world.telegram
    const query = again.press({
      from: reseller.id,
      messageId: result.message_id,
      data: dataOf(result, 'Undo'),
      stale: true,
    })
    expect(await toastOf(world, query)).toMatch(/Already undone/)
  })

  test('is shared by the owners of an account and nobody else, while each agent has a separate book', async () => {
    const owner = await world.newReseller()
    const partner = await addMember(world, owner, 'owner')
    const agent = await addMember(world, owner, 'agent')
    const stranger = await world.newReseller()
    const phone = newPhone()
    await save(owner, 'Kofi', phone)
    await says(partner, '/customers', new RegExp(`1 saved[\\s\\S]*Kofi[\\s\\S]*${phone}`))
    await says(agent, '/customers', 'No numbers saved yet')
    await says(stranger, '/customers', 'No numbers saved yet')
    await save(agent, 'Aunty', phone)
    await says(agent, '/customers', /1 saved[\s\S]*Aunty/)
    const own = await says(owner, '/customers', /1 saved[\s\S]*Kofi/)
    expect(savedIn(accountIdOf(world, owner)).map(({ name, agentId }) => [name, Number(agentId)])).toEqual([
      ['Aunty', agent.id],
      ['Kofi', 0],
    ])

    const opened = await presses(owner, 'Kofi', /No orders for this number/)
    expect(opened.message_id).toBe(own.message_id)
    for (const person of [agent, stranger]) {
      for (const label of ['Delete', 'Rename', 'Buy']) {
        const query = world.telegram.press({
          from: person.id,
          messageId: opened.message_id,
          data: dataOf(opened, label),
          stale: true,
        })
        expect(await toastOf(world, query)).toMatch(/no longer saved/)
      }
    }
    expect(savedIn(accountIdOf(world, owner))).toHaveLength(2)
    await changeDatabase(world, (database) =>
      database.prepare('DELETE FROM Member WHERE userId = ?').run(agent.id),
    )
    const stale = world.telegram.press({
      from: agent.id,
      messageId: opened.message_id,
      data: dataOf(opened, 'Delete'),
      stale: true,
    })
    expect(await toastOf(world, stale)).toMatch(/(?:not available|n’t yours)/)
  })
})

describe('a saved customer', () => {
  test('has a screen with their orders and usual bundle, and can be renamed, deleted and restored', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await save(reseller, 'Kofi', phone)
    await place(world, reseller, phone, '2GB')
    const delivered = ordersFor(world, phone).at(-1)
    world.provider.setStatus(delivered?.reference ?? '', 'delivered')
    await reseller.chat.waitForText(/^✅ MTN 2GB for Kofi \(\d+\): delivered/)
    await place(world, reseller, phone, '2GB')
    const screen = await says(reseller, 'kofi', /Usually buys: MTN 2GB \(2 of the last 2 orders\)/)
    expect(screen.text).toMatch(/MTN 2GB · processing[\s\S]*MTN 2GB · delivered/)

    await presses(reseller, 'Buy', /or another bundle/)
    const usual = reseller.chat.button('MTN 2GB')
    expect(usual?.label).toMatch(/^MTN 2GB · GHS/)
    await presses(reseller, 'Other network', /Which network/)
    await says(reseller, '/customers kofi', 'Usually buys')
    await presses(reseller, 'Buy', /or another bundle/)
    const card = await presses(
      reseller,
      'MTN 2GB',
      new RegExp(`${asksToConfirm}[\\s\\S]*Kofi \\(${phone}\\)`),
    )
    reseller.chat.press('Cancel')
    await cardReads(world, reseller, card, /cancelled/)

    const open = await says(reseller, '/customers kofi', 'Usually buys')
    reseller.chat.press('Orders')
    const history = await reseller.chat.waitForText('Orders for Kofi', { after: open.message_id - 1 })
    expect(history.text).toMatch(/MTN 2GB[\s\S]*MTN 2GB/)
    await says(reseller, '/customers kofi', 'Usually buys')
    await presses(reseller, 'Rename', 'new name for Kofi')
    await says(reseller, '   Kofi \u202e  Mensah\u200b ', 'is now saved as Kofi Mensah')
    const before = savedIn(accountIdOf(world, reseller))
    const screenAgain = await says(reseller, '/customers kofi', '👤 Kofi Mensah')
    reseller.chat.press('Delete')
    const gone = await reseller.chat.waitForText('Deleted: Kofi Mensah')
    expect(gone.message_id).toBe(screenAgain.message_id)
    expect(savedIn(accountIdOf(world, reseller))).toEqual([])
    await presses(reseller, 'Undo', 'Undone.')
    expect(savedIn(accountIdOf(world, reseller))).toEqual(before)
  })

  test('can be added from an order’s card with one press, and the card then shows the name', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    const card = await order(reseller, phone)
    const placed = await cardReads(world, reseller, card, /processing/)
    expect(placed.text).not.toContain('Kofi')
    reseller.chat.press('⋯')
    const { message: opened } = await reseller.chat.waitForButton('Save')
    reseller.chat.press('Save')
    await reseller.chat.waitForText(new RegExp(`Who is ${phone}`))
    await says(reseller, '0241234567', 'That has a number in it')
    await says(reseller, '  ?! ', 'at least one letter')
    await says(reseller, 'Kofi <b>', `Saved: Kofi <b> (${phone})`)
    await cardReads(world, reseller, card, new RegExp(`for Kofi <b> \\(${phone}\\)`))
    reseller.chat.press('⋯')
    const labelsNow = () => {
      const messages = world.telegram.messages(reseller.id)
      return messages.filter(({ message_id }) => message_id === card.message_id).flatMap(labelsOf)
    }
    await expect.poll(labelsNow).toContain('👤 Kofi <b>')
    expect(labelsNow().join()).not.toContain('Save')
    const query = world.telegram.press({
      from: reseller.id,
      messageId: card.message_id,
      data: dataOf(opened, 'Save'),
      stale: true,
    })
    await toastOf(world, query)
    await reseller.chat.waitForText('👤 Kofi <b>\n', { after: card.message_id })
  })

  test('has a name that the order’s followers never see', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await save(reseller, 'Secretname', phone)
    const card = await order(reseller, phone)
    await cardReads(world, reseller, card, /for Secretname[\s\S]*processing[\s\S]*BUD-API-/)
    await pressOnCard(reseller.chat, 'Share')
    const shared = await reseller.chat.waitForText('For the customer')
    const follower = world.newPerson()
    world.telegram.openLink(follower.id, /https:\/\/t\.me\/\S+/.exec(shared.text ?? '')?.[0] ?? '')
    await follower.chat.waitForText('•••')
    world.provider.setStatus(ordersFor(world, phone)[0]?.reference ?? '', 'delivered')
    await follower.chat.waitForText(/delivered/)
    const told = world.telegram.calls().filter(({ payload }) => Number(payload.chat_id) === follower.id)
    expect(JSON.stringify(told)).not.toContain('Secretname')
  })
})

describe('the last step of /buy', () => {
  test('offers regular customers, finds a saved name, and takes the number of a Telegram contact', async () => {
    const reseller = await world.newReseller()
    const [kofi, ama, yaw, telecel] = [newPhone(), newPhone(), newPhone(), newPhone('020')]
    await save(reseller, 'Kofi', kofi)
    await save(reseller, 'Ama Serwaa', ama)
    await save(reseller, 'Ama Owusu', yaw)
    await save(reseller, 'Vida', telecel)
    await place(world, reseller, ama)
    const ask = async () => {
      const { message_id: after } = reseller.chat.say('/buy')
      await reseller.chat.waitForText('Which network', { after })
      reseller.chat.press('MTN')
      await reseller.chat.waitForButton('2GB ·')
      reseller.chat.press('2GB ·')
      return reseller.chat.waitForText(sendNumber, { after })
    }
    const asked = await ask()
    expect(labelsOf(asked)[0]).toBe('Ama Serwaa')
    expect(labelsOf(asked)).toContain('Kofi')
    expect(labelsOf(asked)).not.toContain('Vida')
    reseller.chat.press('Kofi')
    await reseller.chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*Kofi \\(${kofi}\\)`))

    await ask()
    await says(reseller, 'nobody', 'I don’t know “nobody”')
    const several = await says(reseller, 'ama', 'Who do you mean by ama?')
    expect(labelsOf(several)).toEqual(expect.arrayContaining(['Ama Owusu', 'Ama Serwaa']))
    await says(reseller, 'serwaa', new RegExp(`${asksToConfirm}[\\s\\S]*Ama Serwaa \\(${ama}\\)`))

    await ask()
    const abroad = reseller.chat.sendContact('Abroad', '+44 7700 900123')
    await reseller.chat.waitForText(/^\+44.*has 12 digits/, { after: abroad.message_id })
    const unsaved = newPhone()
    const contact = reseller.chat.sendContact('Someone', `+233 ${unsaved.slice(1)}`)
    await reseller.chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*${unsaved}`), {
      after: contact.message_id,
    })
    expect(savedIn(accountIdOf(world, reseller)).map(({ phone }) => phone)).not.toContain(unsaved)
  })
})

describe('a name with a size', () => {
  test('is an order for the number that is saved under the name', async () => {
    const reseller = await world.newReseller()
    const [kofi, ama] = [newPhone(), newPhone()]
    await save(reseller, 'Kofí', kofi)
    await save(reseller, 'Ama Serwaa', ama)
    for (const text of ['Kofi 2gb', '2gb kofi', 'KOFI 2gb mtn', 'please send 2gb for Kofi']) {
      await says(reseller, text, new RegExp(`${asksToConfirm}[\\s\\S]*MTN 2GB[\\s\\S]*Kofí \\(${kofi}\\)`))
    }
    await says(reseller, 'ama serwaa 2 gb', new RegExp(`${asksToConfirm}[\\s\\S]*${ama}`))
    await says(reseller, 'serwaa 2gb', new RegExp(`${asksToConfirm}[\\s\\S]*${ama}`))
    const unknown = await says(reseller, 'Yaw 2gb', 'I don’t know “Yaw”')
    expect(unknown.text).toMatch(/Nothing was ordered[\s\S]*To save them/)
    await says(reseller, 'what is this', 'I don’t understand')
    const yaw = newPhone()
    await says(reseller, 'Yaw 2gb', 'I don’t know “Yaw”')
    await says(reseller, `${newPhone()} 2gb`, asksToConfirm)
    await says(reseller, 'Yaw 2gb', 'I don’t know “Yaw”')
    await says(reseller, `${yaw} please`, `Saved: Yaw (${yaw})`)
    await says(reseller, 'Yaw 2gb', new RegExp(`${asksToConfirm}[\\s\\S]*Yaw \\(${yaw}\\)`))
    const offers = await says(reseller, 'Kofi 5gb', 'more than one 5GB offer')
    expect(offers.text).toContain(`Which one for Kofí (${kofi})?`)
    expect(ordersFor(world, kofi)).toEqual([])
  })

  test('is an order of the offer that this customer bought last, if the size has several offers', async () => {
    const reseller = await world.newReseller()
    const [kofi, ama] = [newPhone(), newPhone()]
    await save(reseller, 'Kofi', kofi)
    await save(reseller, 'Ama', ama)
    const asked = await says(reseller, 'Kofi 5gb', 'more than one 5GB offer')
    expect(labelsOf(asked).slice(0, 2)).toEqual(['5GB · GHS 23.50', '5GB Express · GHS 25.45'])
    const card = await presses(reseller, '5GB Express', /Confirm this order[\s\S]*MTN 5GB Express/)
    reseller.chat.press('Confirm')
    await cardReads(world, reseller, card, /MTN 5GB Express[\s\S]*BUD-API-/)
    for (const text of ['Kofi 5gb', `${kofi} 5gb`]) {
      const again = await says(reseller, text, asksToConfirm)
      expect(again.text).toMatch(/MTN 5GB Express \(same as last time\)[\s\S]*GHS 25\.45/)
    }
    await says(reseller, 'Ama 5gb', 'more than one 5GB offer')
    expect(ordersFor(world, kofi)).toHaveLength(1)
  })

  test('leads to a question if two customers share the name', async () => {
    const reseller = await world.newReseller()
    const [one, two, long] = [newPhone(), newPhone(), newPhone()]
    await save(reseller, 'Kofi', one)
    await save(reseller, 'kofi', two)
    await save(reseller, 'Kofi Mensah', long)
    const asked = await says(reseller, 'Kofi 2gb', 'more than one Kofi')
    expect(labelsOf(asked)).toEqual([`Kofi •••${one.slice(-4)}`, `kofi •••${two.slice(-4)}`])
    reseller.chat.press(`•••${two.slice(-4)}`)
    await reseller.chat.waitForText(new RegExp(`${asksToConfirm}[\\s\\S]*${two}`))
    await says(reseller, 'kofi m 2gb', new RegExp(`${asksToConfirm}[\\s\\S]*${long}`))
  })

  test('in a list is shown next to the number, in the preview and in the file of all lines', async () => {
    const reseller = await world.newReseller()
    const [kofi, other] = [newPhone(), newPhone()]
    await save(reseller, 'Kofi', kofi)
    const card = await says(reseller, `Kofi 2gb\n${other} 2gb\n${kofi} 1gb`, '3 to order')
    expect(card.text).toContain(`MTN 2GB × 2 = GHS 19.20\n   Kofi (${kofi})\n   ${other}\n`)
    expect(card.text).toContain(`MTN 1GB × 1 = GHS 4.80\n   Kofi (${kofi})`)
    reseller.chat.press('⋯')
    await reseller.chat.waitForButton('All lines')
    reseller.chat.press('All lines')
    const { bytes } = await reseller.chat.waitForFile({ after: card.message_id })
    const rows = (await readSheet(bytes)).map((row) => row.slice(3, 7))
    expect(rows.slice(0, 3)).toEqual([
      ['Number', 'Customer', 'Network', 'Size'],
      [kofi, 'Kofi', 'MTN', '2GB'],
      [other, null, 'MTN', '2GB'],
    ])
  })

  test('among unclear lines is ordered for the saved number', async () => {
    const reseller = await world.newReseller()
    const [kofi, other] = [newPhone(), newPhone()]
    await save(reseller, 'Kofi', kofi)
    const odd = `Kofi 2gb\nYaw 5gb\n024123456 2gb\n${other} 1gb`
    const card = await says(reseller, odd, '4 lines: 2 to order · 2 to fix')
    expect(card.text).toContain(`Kofi (${kofi})`)
    expect(card.text).toMatch(/2\. Yaw 5gb\s+↳ Yaw: not saved\. Send 2\. 0241234567/)
    const heading = await says(reseller, `Kofi 2gb\n${other}\n024123456 1gb`, /1 to order/)
    expect(heading.text).toContain(`MTN 2GB × 1 = GHS 9.60\n   ${other}`)
  })

  test('on each of several lines makes a list, and a reply with the number fixes an unknown name', async () => {
    const reseller = await world.newReseller()
    const [kofi, ama, other] = [newPhone(), newPhone(), newPhone()]
    await save(reseller, 'Kofi', kofi)
    await save(reseller, 'Ama', ama)
    const preview = await says(reseller, 'Kofi 2gb\nAma 1gb', /2 lines: 2 to order/)
    await world.until(() => reseller.chat.button('Confirm'), 'the preview can be confirmed')
    expect(preview.text).toMatch(/GHS/)
    await says(reseller, `Kofi 2gb\n${other} 1gb`, /2 to order/)
    await says(reseller, '/bulk', 'which network')
    await presses(reseller, 'MTN', 'Which bundle for everyone')
    await reseller.chat.waitForButton('1GB ·')
    await presses(reseller, '1GB ·', 'Now send the numbers')
    await says(reseller, 'Kofi\nAma', /2 lines: 2 to order[\s\S]*MTN 1GB × 2/)
    reseller.chat.press('Cancel')
    const unknown = await says(reseller, 'Kofi 2gb\nYaw 1gb', /2 lines: 1 to order · 1 to fix/)
    expect(unknown.text).toMatch(/2\. Yaw 1gb\s+↳ Yaw: not saved\. Send 2\. 0241234567/)
    world.telegram.say({ from: reseller.id, text: `2. ${other}`, replyTo: unknown.message_id })
    await reseller.chat.waitForText(/2 lines: 2 to order[\s\S]*MTN 1GB × 1/, { after: unknown.message_id })
    reseller.chat.press('Confirm')
    await world.until(() => ordersFor(world, other).length === 1, 'the newest list is ordered')
    expect(ordersFor(world, kofi)).toHaveLength(1)
  })
})

test('while the book of contacts asks for names, a typed order is still read as an order, and forwarded lines as names', async () => {
  const reseller = await world.newReseller()
  const [kofi, ama] = [newPhone(), newPhone()]
  await says(reseller, '/customers', 'No numbers saved yet')
  await presses(reseller, 'Import', 'Import customers')
  world.telegram.say({ from: reseller.id, text: `Kofi ${kofi}\nAma ${ama}`, forwarded: true })
  await reseller.chat.waitForText(/Saved: 2/)
  await says(reseller, '/customers', '2 saved')
  await presses(reseller, 'Add', 'Add a customer')
  await says(reseller, `${newPhone()} 2gb`, asksToConfirm)
  await says(reseller, `call ${newPhone()}`, 'I don’t understand')
  await says(reseller, `Nana Yaw ${kofi}`, `👤 Kofi\nNumber: ${kofi}`)
  const fresh = newPhone()
  await says(reseller, `Nana Yaw ${fresh}`, `Saved: Nana Yaw (${fresh})`)
  await presses(reseller, 'Undo', 'Undone.')
  await says(reseller, '/customers', '2 saved')
  await presses(reseller, 'Search', 'Which customer')
  await says(reseller, '/cancel', 'Cancelled')
  await says(reseller, '/customers', '2 saved')
  await presses(reseller, 'Add', 'Add a customer')
  const alone = newPhone()
  await says(reseller, alone, `Who is ${alone}`)
  await says(reseller, 'Esi', `Saved: Esi (${alone})`)
})

describe('a Telegram contact', () => {
  test('is saved under its name, and refused without a usable number or name', async () => {
    const reseller = await world.newReseller()
    const phone = newPhone()
    await save(reseller, 'Kofi', `+233 ${phone.slice(1, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`)
    reseller.chat.sendContact('Kofi', `233${phone.slice(1)}`)
    await reseller.chat.waitForText('is already saved')
    reseller.chat.sendContact('Kofi', phone, { lastName: 'Mensah', forwarded: true })
    await reseller.chat.waitForText('is now saved as Kofi Mensah')
    await presses(reseller, 'Undo', 'Undone.')
    expect(savedIn(accountIdOf(world, reseller)).map(({ name }) => name)).toEqual(['Kofi'])
    reseller.chat.sendContact('Abroad', '+44 7700 900123')
    await reseller.chat.waitForText('Abroad wasn’t saved')
    reseller.chat.sendContact('\u200b\u202e', newPhone())
    await reseller.chat.waitForText('Send just the name')
    const stranger = world.newPerson()
    stranger.chat.sendContact('Kofi', phone)
    await stranger.chat.waitForText('/connect')
  })

  test('with a hostile name is saved in a cleaned form, and shown exactly as saved', async () => {
    const reseller = await world.newReseller()
    const hostile = {
      '<b>Ama</b> & "Co"': '<b>Ama</b> & "Co"',
      '\u202eifoK\u202c\u200b\n\tDrop': 'ifoK Drop',
      [`${'👨‍👩‍👧 '.repeat(30)}`]: '👨👩👧 👨👩👧 👨👩👧 👨👩👧 👨👩👧 👨👩',
      [`Z${'\u0301'.repeat(200)}algo`]: 'Ź́́́algo',
    }
    for (const [sent, stored] of Object.entries(hostile)) {
      const phone = newPhone()
      await save(reseller, sent, phone)
      const row = savedIn(accountIdOf(world, reseller)).find((saved) => saved.phone === phone)
      expect(row?.name).toBe(stored)
      await says(reseller, `/customers ${phone}`, `👤 ${stored}\n`)
    }
    const listed = await says(reseller, '/customers', '4 saved')
    expect(listed.entities?.filter(({ type }) => type === 'text_link')).toEqual([])
  })
})

test('a book of contacts has room for 2,000 numbers, and an import says how many more there were', async () => {
  const reseller = await world.newReseller()
  await says(reseller, '/customers', 'No numbers saved yet')
  await presses(reseller, 'Import', 'Import customers')
  const lines = Array.from({ length: 2_003 }, (_, at) => `Person ${at} ${newPhone()}`)
  reseller.chat.sendFile('all.txt', lines.join('\n'))
  expect((await reseller.chat.waitForText('Done.')).text).toMatch(/Saved: 2,000\n.*No room for 3/)
  reseller.chat.sendContact('One more', newPhone())
  await reseller.chat.waitForText('You can’t save more than')
  expect(world.bot.output()).not.toContain('Person 1999')
})
