import { describe, expect, test } from 'vitest'
import { changedLines, putBack } from '../../../src/lists/meaning/changed-line.ts'
import { mergeCorrections } from '../../../src/lists/meaning/correction.ts'
import { exchanged, suggestionFor } from '../../../src/lists/meaning/suggestion.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot as plainMarket } from '../market.ts'

/** Numbers that were ported to Telecel, with earlier orders there. */
const served = { '0241234567': ['Telecel'], '0241234568': ['Telecel'] }
const priceSnapshot = { ...plainMarket, served }

const merged = (text: string, correction: string) => {
  const whole = mergeCorrections(text, correction, priceSnapshot)
  const { recipients, lines } = readList(whole, priceSnapshot)
  return {
    text: whole,
    recipients: recipients.map(
      ({ line, phone, volume, network }) => `${line}: ${phone} ${volume} ${network}`,
    ),
    verdicts: lines.map(({ verdict }) => verdict.charAt(0)).join(''),
  }
}

describe('a list’s correction that begins with a line’s number', () => {
  test.each([
    '2. 0551234567 10',
    '2: 0551234567 10gb',
    '2) 0551234567 10',
    '#2: 0551234567 10',
    '2 - 0551234567 10',
  ])('replaces the line if the correction is “%s”', (correction) => {
    expect(merged('0241234567 5\n055123456 10\n0201234567 2', correction).recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('replaces only a line to fix, and is otherwise a new line', () => {
    expect(merged('0241234567 5\n0551234567 7', '1. 0201234567 2').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('replaces the one line that has this number in the list’s own numbering', () => {
    const text = 'Good morning\n1. 0241234567 5\n2. 055123456 10\n3. 0201234567 2'
    expect(merged(text, '2. 0551234567 10').recipients).toEqual([
      '2: 0241234567 5GB MTN',
      '3: 0551234567 10GB MTN',
      '4: 0201234567 2GB Telecel',
    ])
    const twice = '0241234567 5\n\n2) 024000000 10\n2) 020123456 2'
    expect(merged(twice, '2. 0551234567 10').text.startsWith(twice)).toBe(true)
  })

  test('prefers the line with this written number to the line to fix at this place', () => {
    const text = 'Good morning\n1. 0241234567 5\n2. 055123456 10\n3. 0201234567 7'
    expect(merged(text, '3. 0201234567 2')).toMatchObject({ verdicts: 'irfr' })
  })

  test('and has only a size keeps the line’s phone and network', () => {
    expect(merged('0241234567 7 telecel', '1: 5gb').recipients).toEqual(['1: 0241234567 5GB Telecel'])
    expect(merged('Telecel\n0241234567 7', '2: 5').recipients).toEqual(['2: 0241234567 5GB Telecel'])
  })

  test('and has only a network keeps the line’s phone and size', () => {
    expect(merged('0271234567 5', '1: bigtime').recipients).toEqual(['1: 0271234567 5GB BigTime'])
  })

  test('and has only a size changes nothing if the line’s phone could not be read', () => {
    const text = '024123456 5\n0551234567 10'
    expect(merged(text, '1: 10gb').text).toBe(text)
  })

  test.each(['1: skip', '1. drop', '1: remove'])(
    'leaves the line out if the correction is “%s”',
    (correction) => {
      expect(merged('024123456 5\n0551234567 10', correction)).toMatchObject({
        text: '\n0551234567 10',
        verdicts: 'ir',
      })
    },
  )

  test('empties the lines below that belonged to the same order', () => {
    const text = '0270890079\n7gb\nbig time\n0551234567\n10gb\nmtn'
    expect(merged(text, '1: 0270890079 15gb bigtime')).toMatchObject({
      text: '0270890079 15gb bigtime\n\n\n0551234567\n10gb\nmtn',
      recipients: ['1: 0270890079 15GB BigTime', '4: 0551234567 10GB MTN'],
    })
  })

  test('may replace only one of several lines of an order', () => {
    expect(merged('0270890079\n7gb\nbig time', '2: 15gb').recipients).toEqual(['1: 0270890079 15GB BigTime'])
  })

  test('does not renumber the other lines, even with several corrections', () => {
    const text = '0241234567 5\n055123456 10\n0201234567 2x2'
    expect(merged(text, '2: 0551234567 10\n3: 0201234567 2').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })
})

describe('a list’s correction with a phone from the list', () => {
  test('replaces the line with that phone alone, and keeps its place and heading', () => {
    expect(merged('Telecel\n0241234567 7\n0201234567 2', '0241234567 5').recipients).toEqual([
      '2: 0241234567 5GB Telecel',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('replaces the line with that phone even if it was ready', () => {
    expect(merged('0241234567 5\n0551234567 10', '+233241234567 10gb').recipients).toEqual([
      '1: 0241234567 10GB MTN',
      '2: 0551234567 10GB MTN',
    ])
  })

  test('replaces each of several lines whose phones it names', () => {
    expect(merged('0241234567 7\n0551234567 7', '0241234567 5, 0551234567 10').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
    ])
  })

  test('applies its own heading to its phones', () => {
    expect(merged('MTN\n0241234567 7\n0551234567 7', 'Telecel\n5gb\n0241234567').recipients).toEqual([
      '2: 0241234567 5GB Telecel',
    ])
  })
})

describe('a list’s correction without a line’s number', () => {
  test('puts a phone with its size on the line with the most similar phone', () => {
    const text = '0241234567 5\n055123456 10\n020123456 2'
    expect(merged(text, '0201234567 2gb').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
    expect(merged(text, '0551234567 10\n0201234567 5').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 5GB Telecel',
    ])
  })

  test.each([
    ['digits are missing', '024123 5'],
    ['there are too many digits', '02412345678 5'],
    ['one digit is wrong', '0741234567 5'],
    ['a letter is among the digits', '02412E4567 5'],
    ['the digits cannot be told from the size', '024 123 456 7 5gb'],
  ])('with a phone alone replaces the damaged phone if %s, and keeps the size', (_, line) => {
    const whole = merged(`Good morning\n${line}\n0551234567 10`, '0241234567')
    expect(whole.recipients).toEqual(['2: 0241234567 5GB MTN', '3: 0551234567 10GB MTN'])
  })

  test('with a new phone puts it on the first line without one', () => {
    const { recipients, verdicts } = merged('Ama 2gb\n024123456 5', '0551234567')
    expect(recipients).toEqual(['1: 0551234567 2GB MTN'])
    expect(verdicts).toBe('rf')
  })

  test('with several phones puts each phone on a line of its own', () => {
    expect(merged('Ama 2gb\nKofi 5gb', '0551234567\n0241234567').recipients).toEqual([
      '1: 0551234567 2GB MTN',
      '2: 0241234567 5GB MTN',
    ])
  })

  test('with a phone and a size completes the line with a name and that size', () => {
    expect(merged('Ama 2gb\nKofi 5gb', '0551234567 5').recipients).toEqual(['2: 0551234567 5GB MTN'])
  })

  test('that replaces a phone keeps the size on the line below', () => {
    expect(merged('024123456\n5gb\n0551234567 10', '0241234567').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '3: 0551234567 10GB MTN',
    ])
  })

  test('with a size alone changes the first line whose size is not sold', () => {
    const text = '0241234567 5\n0551234567 7\n0241234569 7'
    expect(merged(text, '10gb')).toMatchObject({
      recipients: ['1: 0241234567 5GB MTN', '2: 0551234567 10GB MTN'],
      verdicts: 'rrf',
    })
  })

  test('with a network alone changes the first line that needs a network', () => {
    expect(merged('024123456 5\n0231234567 5', 'mtn').recipients).toEqual(['2: 0231234567 5GB MTN'])
  })

  test('with a size or a network that fits no line changes nothing', () => {
    expect(merged('024123456 5', '10gb').text).toBe('024123456 5')
    expect(merged('024123456 5', 'mtn').text).toBe('024123456 5')
  })

  test('with a new phone and a size adds a line', () => {
    expect(merged('024123456 5', '0209876543 2').recipients).toEqual(['2: 0209876543 2GB Telecel'])
  })
})

test('a list’s correction with a line’s number and only a phone keeps the line’s size', () => {
  expect(merged('0241234567 5\n055123456 10gb', '2. 0551234567').recipients).toEqual([
    '1: 0241234567 5GB MTN',
    '2: 0551234567 10GB MTN',
  ])
  expect(merged('1. 0241234567 5\n2. Kwabena 10gb', '2. 0551234567').recipients).toEqual([
    '1: 0241234567 5GB MTN',
    '2: 0551234567 10GB MTN',
  ])
})

test('new numbers are added at the end of a list, outside its headings', () => {
  const { recipients, verdicts } = merged('Telecel\n0201234567 2', '0241234567 5\n0551234567 10')
  expect(recipients).toEqual(['2: 0201234567 2GB Telecel', '3: 0241234567 5GB MTN', '4: 0551234567 10GB MTN'])
  expect(verdicts).toBe('irrr')
})

test('a correction that is itself damaged is added to the list as a line to fix', () => {
  expect(merged('0241234567 5', '055123456 10').verdicts).toBe('rf')
})

test('greetings and empty lines in a correction of a list add nothing', () => {
  expect(merged('0241234567 5', 'sorry, thanks\n\n').text).toBe('0241234567 5')
})

test('undoing a correction of a list restores each line, and empties the added ones', () => {
  const text = '0241234567 5\n055123456\n10gb\n0201234567 7'
  const whole = merged(text, '2. 0551234567 10\n4: 2gb\n0241111111 5').text
  const changed = changedLines(text, whole)
  expect(changed).toEqual([
    { number: 2, before: '055123456' },
    { number: 3, before: '10gb' },
    { number: 4, before: '0201234567 7' },
    { number: 5, before: null },
  ])
  expect(putBack(whole, changed)).toBe(`${text}\n`)
})

describe('a suggestion for a line of a list', () => {
  const suggested = (text: string) => {
    const { lines } = readList(text, priceSnapshot)
    return lines.flatMap((line) => suggestionFor(line, lines) ?? [])
  }

  test.each([
    ['02412345O1 5', '02412345O1', '0241234501'],
    ['1. +23324l234567 5gb', '23324l234567', '0241234567'],
    ['241234567.0 5', '241234567.0', '0241234567'],
    ['0241234567 2,5gb', '2,5', '2.5'],
  ])('names the damaged part of “%s” and what to write instead', (text, written, instead) => {
    expect(suggested(`Hello\n${text}`)).toEqual([{ line: 2, place: 2, written, instead }])
  })

  test('is not made if digits are missing or if two things are wrong', () => {
    expect(suggested('024123456 5')).toEqual([])
    expect(suggested('02412345O1 2x5gb')).toEqual([])
  })

  test('changes only the damaged part of the line if it is accepted', () => {
    const text = '1. Kofi 02412345O1 - 5GB mtn'
    expect(exchanged(text, '02412345O1', '0241234501')).toBe('1. Kofi 0241234501 - 5GB mtn')
    expect(exchanged('０２４12345O1 5', '02412345O1', '0241234501')).toBe('0241234501 5')
    expect(exchanged(text, '02412345O2', '0241234501')).toBeNull()
  })
})

test('a correction of 5,000 lines is merged into a list of 5,000 lines', () => {
  const phones = Array.from({ length: 5_000 }, (_, index) => `024${1_000_000 + index}`)
  const text = phones.map((phone) => `${phone} 7`).join('\n')
  const { recipients } = readList(
    mergeCorrections(text, phones.map((phone) => `${phone} 5`).join('\n'), priceSnapshot),
    priceSnapshot,
  )
  expect(recipients).toHaveLength(5_000)
})
