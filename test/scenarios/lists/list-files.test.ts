// @module-tag screens
import type { Message } from 'grammy/types'
import { readSheet } from 'read-excel-file/node'
import { expect } from 'vitest'
import { workbookOf } from '../../lists/workbook.ts'
import { test } from '../../support/test.ts'
import type { Reseller, World } from '../../support/world.ts'
import { newPhone } from '../shop.ts'

const isPreview = /Nothing is charged before you confirm|Nothing can be ordered yet/

const send = ({ chat }: Reseller, name: string, content: string | Uint8Array, caption?: string) => {
  const { message_id: after } = chat.sendFile(name, content, caption === undefined ? {} : { caption })
  return chat.waitForText(isPreview, { after })
}

const labelsOf = (message: Message): string[] =>
  message.reply_markup?.inline_keyboard.flat().map(({ text }) => text) ?? []

const served = (world: World, { account }: Reseller): string[] =>
  world.provider
    .orders()
    .filter(({ accountId }) => accountId === account.id)
    .flatMap(({ volume, phones }) => phones.map(({ phone }) => `${phone} ${volume}`))
    .toSorted()

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

/**
 * A workbook as Excel saves it: the numbers have lost their leading zero, and are on the second sheet, after one with
 * notes.
 */
const workbook = (rows: [phone: string, size: number][]): Buffer =>
  workbookOf({
    sheets: [
      { name: 'Notes', rows: '<row r="1"><c r="A1" t="inlineStr"><is><t>March</t></is></c></row>' },
      {
        name: 'Orders',
        rows: rows
          .map(
            ([phone, size], at) =>
              `<row r="${at + 1}"><c r="A${at + 1}"><v>${Number(phone)}</v></c><c r="B${at + 1}"><v>${size}</v></c></row>`,
          )
          .join(''),
      },
    ],
  })

test.for<[string, string, (first: string, second: string) => string | Uint8Array]>([
  ['a text', 'list.txt', (a, b) => `${a} 2gb\r\n${b} - 3`],
  ['commas with a header', 'list.csv', (a, b) => `Phone,Size\n${a},2GB\n${b},3GB\n`],
  ['semicolons', 'list.csv', (a, b) => `"Ama ""B"" Mensah";${a};2\n"Kofi; Accra";${b};3`],
  ['tabs', 'list.csv', (a, b) => `${a}\t2\n${b}\t3\n`],
  ['UTF-16', 'list.csv', (a, b) => utf16(`${a},2\r\n${b},3\r\n`)],
  ['Windows-1252', 'list.csv', (a, b) => Buffer.from(`André,${a},2\nZoë,${b},3\n`, 'latin1')],
  [
    'a workbook',
    'list.xlsx',
    (a, b) =>
      workbook([
        [a, 2],
        [b, 3],
      ]),
  ],
])('a list file (%s) is read, confirmed and ordered', async ([, name, contentOf], { world, reseller }) => {
  const [first, second] = [newPhone(), newPhone()]
  const card = await send(reseller, name, contentOf(first, second))
  expect(labelsOf(card)).toContain('✅ Confirm 2 · GHS 23.80')
  reseller.chat.press('✅ Confirm')
  await world.until(() => served(world, reseller).length === 2, 'both are ordered')
  expect(served(world, reseller)).toEqual([`${first} 2GB`, `${second} 3GB`].toSorted())
})

test('the caption of a list file gives the size for numbers without one, or the network for all', async ({
  reseller,
}) => {
  const numbers = `${newPhone()}\n${newPhone()}`
  const sized = await send(reseller, 'list.txt', numbers, '2gb')
  expect(sized.text).toContain('MTN 2GB × 2')
  const named = await send(reseller, 'list.txt', `${newPhone()} 2\n${newPhone()} 2`, 'Telecel')
  expect(named.text).toContain('Your list says Telecel, but these numbers look like MTN.')
  reseller.chat.press('Keep Telecel')
  const kept = await reseller.chat.waitForText('Telecel 2GB × 2')
  expect(kept.text).toContain('2 numbers look like they’re on a different network')
  const idle = await send(reseller, 'list.txt', `${newPhone()} 2\n${newPhone()} 2`, 'Please do it today')
  expect(idle.text).toContain('MTN 2GB × 2')
})

test('a list file of numbers can answer the last question of /bulk', async ({ reseller }) => {
  const { chat } = reseller
  chat.say('/bulk')
  await chat.waitForText('which network?')
  chat.press('MTN')
  await chat.waitForText('Which bundle for everyone?')
  chat.press('2GB · GHS 9.60')
  await chat.waitForText('send the numbers')
  const card = await send(reseller, 'numbers.txt', `${newPhone()}\n${newPhone()}\n${newPhone()}`)
  expect(card.text).toContain('For all: MTN 2GB')
  expect(labelsOf(card)).toContain('✅ Confirm 3 · GHS 28.80')
})

test('hidden rows of a list’s workbook are read and mentioned, and other sheets with numbers are named', async ({
  reseller,
}) => {
  const row = (phone: string, attributes = '') =>
    `<row r="1"${attributes}><c><v>${Number(phone)}</v></c><c><v>2</v></c></row>`
  const content = workbookOf({
    sheets: [
      { name: 'One', rows: row(newPhone()) + row(newPhone(), ' hidden="1"') },
      { name: '&lt;Two&gt;', rows: row(newPhone()) },
    ],
  })
  await send(reseller, 'list.xlsx', content)
  const notes = await reseller.chat.waitForText('I only read the sheet One')
  expect(notes.text).toContain('<Two>')
  expect(notes.text).toContain('1 row is hidden in Excel. I read it too.')
})

test('a list file of ten thousand lines gets a preview, whose button “All lines” sends a file with every line', {
  tags: 'exhaustive',
}, async ({ world }) => {
  const reseller = await world.newReseller(100_000_000)
  const lines = Array.from({ length: 9_999 }, (_, index) => `024${7_000_000 + index},${1 + (index % 3)}`)
  const card = await send(reseller, 'list.csv', ['number,size', ...lines].join('\n'))
  expect(card.text).toContain('10,000 lines: 9,999 to order · 1 ignored')
  expect(labelsOf(card)).toContain('✅ Confirm 9,999 · GHS 95,323.80')
  reseller.chat.press('⋯')
  await reseller.chat.waitForButton('All lines')
  reseller.chat.press('All lines')
  const { bytes } = await reseller.chat.waitForFile()
  expect(await readSheet(bytes)).toHaveLength(10_001)
})

/** Presses the newest button for the file in MTN's own format. @returns the file's rows. */
const networkFile = async ({ chat }: Reseller): Promise<unknown[][]> => {
  await chat.waitForButton('MTN’s own file')
  chat.press('MTN’s own file')
  const { name, bytes } = await chat.waitForFile()
  expect(name).toBe('MTN-upload.xlsx')
  return readSheet(bytes)
}

test('numbers taken in the network’s own file are ordered here only once the person puts them back', async ({
  reseller,
}) => {
  const { chat } = reseller
  await send(reseller, 'list.txt', `${newPhone()} 2gb`)
  chat.press('⋯')
  await networkFile(reseller)
  const card = await chat.waitForText('1 in the network’s file')
  expect(card.text).toContain('Nothing is left to order here.')
  expect(labelsOf(card).some((label) => label.includes('Confirm'))).toBe(false)
  chat.press('Put 1 back')
  expect(labelsOf(await chat.waitForText('1 line: 1 to order'))).toContainEqual(
    expect.stringContaining('Confirm 1'),
  )
})

test('a list can be turned into the file for the network’s own portal, which is read as the same list', async ({
  reseller,
}) => {
  const [yaw, other] = [newPhone(), newPhone()]
  await send(reseller, 'list.txt', `1. Yaw ${yaw} 2gb\n2. ${other} 1gb`)
  reseller.chat.press('⋯')
  const [head, ...rows] = await networkFile(reseller)
  expect(head).toContain('Data (MB) (1024MB = 1GB)')
  expect(rows).toEqual([
    [yaw, 'Yaw', 0, 2048, 0],
    [other, null, 0, 1024, 0],
  ])
  const { bytes } = await reseller.chat.waitForFile()
  expect((await send(reseller, 'again.xlsx', bytes)).text).toContain('2 to order')
})

test('a list whose prices cannot be read can still be turned into the network’s own file', async ({
  world,
  reseller,
}) => {
  const phone = newPhone()
  world.provider.addFault({ kind: 'error_before', path: '/bundles', account: reseller.account.id })
  reseller.chat.say(`${phone} 2gb\n${newPhone()} 1gb`)
  await reseller.chat.waitForText('Your list is kept for an hour')
  expect((await networkFile(reseller))[1]).toEqual([phone, null, 0, 2048, 0])
  await reseller.chat.waitForText('I’ll leave out the 2 numbers in the network’s file.')
  reseller.chat.press('Try again')
  await reseller.chat.waitForText('2 in the network’s file')
})

test.for<[string, string, string | Uint8Array, string]>([
  ['too many lines', 'list.csv', '0241234567,2\n'.repeat(10_001), 'too many lines: I can read up to 10,000'],
  ['more than 5 MB', 'list.csv', '0241234567,2     \n'.repeat(350_000), 'too large: I can read up to 5 MB'],
  ['a PDF', 'list.pdf', '%PDF-1.7\n0241234567 2', 'I can’t read PDF files'],
  ['an old workbook', 'list.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'I can’t read'],
  ['a damaged workbook', 'list.xlsx', Buffer.from('PK\x03\x04nonsense'), 'I couldn’t open that file'],
  ['blanks', 'list.txt', ' \n\t\n ', 'nothing in that file'],
  [
    'a program',
    'list.txt',
    Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]),
    'I found no list in that file',
  ],
])(
  'a list file (%s) is refused with the reason',
  async ([, name, content, words], { reseller: { chat } }) => {
    const { message_id: after } = chat.sendFile(name, content)
    const answer = await chat.waitForText('Nothing was ordered', { after })
    expect(answer.text).toContain(words)
  },
)

test('a workbook that is far larger when unpacked is refused at the limit, and the bot keeps working', async ({
  reseller,
}) => {
  const { chat } = reseller
  const bomb = workbookOf({
    sheets: [{ name: 'S', rows: `<row><c t="str"><v>${'0'.repeat(80_000_000)}</v></c></row>` }],
  })
  const { message_id: after } = chat.sendFile('list.xlsx', bomb)
  await chat.waitForText('Nothing was ordered', { after })
  await send(reseller, 'list.txt', `${newPhone()} 2\n${newPhone()} 2`)
})

test('the content of a hostile list file is shown literally and breaks no card', async ({ reseller }) => {
  const lines = [
    `${newPhone()} 2`,
    `<b>${newPhone()}</b> 2`,
    `=HYPERLINK("https://evil.example") 02412345 2`,
    `</code>024123456<script> 5`,
    `${'&'.repeat(5_000)}024123456 5`,
    `\u202e${newPhone()} 2`,
  ]
  const card = await send(reseller, '<i>list</i>.txt', lines.join('\n'))
  expect(card.text).toMatch(/^📋 6 lines/)
  expect(card.text).toContain('</code>024123456<script> 5')
  reseller.chat.press('⋯')
  await reseller.chat.waitForButton('All lines')
  reseller.chat.press('All lines')
  const { bytes } = await reseller.chat.waitForFile()
  expect((await readSheet(bytes)).flat()).toContain('=HYPERLINK("https://evil.example") 02412345 2')
})

test('the sender of a list file is told if it cannot be downloaded from Telegram', async ({ world }) => {
  const { chat } = await world.newReseller()
  world.telegram.addFault({ method: 'getFile', kind: 'bad_request' })
  const { message_id: after } = chat.sendFile('list.txt', `${newPhone()} 2\n${newPhone()} 2`)
  await chat.waitForText('I couldn’t load that file from Telegram', { after })
})
