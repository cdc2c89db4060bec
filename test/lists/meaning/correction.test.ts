import { describe, expect, test } from 'vitest'
import { changedLines, putBack } from '../../../src/lists/meaning/changed-line.ts'
import { mergeCorrections } from '../../../src/lists/meaning/correction.ts'
import { exchanged, suggestionFor } from '../../../src/lists/meaning/suggestion.ts'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot as plainMarket } from '../market.ts'

/** Numbers that were ported to Telecel, and served there before. */
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

describe('a correction that begins with a line’s number', () => {
  test.each([
    '2. 0551234567 10',
    '2: 0551234567 10gb',
    '2) 0551234567 10',
    '#2: 0551234567 10',
    '2 - 0551234567 10',
  ])('replaces that line: “%s”', (correction) => {
    expect(merged('0241234567 5\n055123456 10\n0201234567 2', correction).recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('replaces only a line that is to fix; otherwise the number only counts the line', () => {
    expect(merged('0241234567 5\n0551234567 7', '1. 0201234567 2').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('replaces the line that was written with that number where nothing else is to fix', () => {
    const text = 'Good morning\n1. 0241234567 5\n2. 055123456 10\n3. 0201234567 2'
    expect(merged(text, '2. 0551234567 10').recipients).toEqual([
      '2: 0241234567 5GB MTN',
      '3: 0551234567 10GB MTN',
      '4: 0201234567 2GB Telecel',
    ])
    const twice = '0241234567 5\n\n2) 024000000 10\n2) 020123456 2'
    expect(merged(twice, '2. 0551234567 10').text.startsWith(twice)).toBe(true)
  })

  test('a number that stands on another line to fix means that line', () => {
    const text = 'Good morning\n1. 0241234567 5\n2. 055123456 10\n3. 0201234567 7'
    expect(merged(text, '3. 0201234567 2')).toMatchObject({ verdicts: 'irfr' })
  })

  test('a size alone is for the number that stands there, on the network that was named', () => {
    expect(merged('0241234567 7 telecel', '1: 5gb').recipients).toEqual(['1: 0241234567 5GB Telecel'])
    expect(merged('Telecel\n0241234567 7', '2: 5').recipients).toEqual(['2: 0241234567 5GB Telecel'])
  })

  test('a network alone is for the number and the size that stand there', () => {
    expect(merged('0271234567 5', '1: bigtime').recipients).toEqual(['1: 0271234567 5GB BigTime'])
  })

  test('a size alone changes nothing where no number could be read', () => {
    const text = '024123456 5\n0551234567 10'
    expect(merged(text, '1: 10gb').text).toBe(text)
  })

  test.each(['1: skip', '1. drop', '1: remove'])('%s leaves the line out', (correction) => {
    expect(merged('024123456 5\n0551234567 10', correction)).toMatchObject({
      text: '\n0551234567 10',
      verdicts: 'ir',
    })
  })

  test('the lines below that belonged to it become empty', () => {
    const text = '0270890079\n7gb\nbig time\n0551234567\n10gb\nmtn'
    expect(merged(text, '1: 0270890079 15gb bigtime')).toMatchObject({
      text: '0270890079 15gb bigtime\n\n\n0551234567\n10gb\nmtn',
      recipients: ['1: 0270890079 15GB BigTime', '4: 0551234567 10GB MTN'],
    })
  })

  test('a part of it can be corrected alone', () => {
    expect(merged('0270890079\n7gb\nbig time', '2: 15gb').recipients).toEqual(['1: 0270890079 15GB BigTime'])
  })

  test('lines keep their numbers through several corrections', () => {
    const text = '0241234567 5\n055123456 10\n0201234567 2x2'
    expect(merged(text, '2: 0551234567 10\n3: 0201234567 2').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })
})

describe('a correction with a phone of the list', () => {
  test('replaces the line on which that number stands alone, in its place and under its heading', () => {
    expect(merged('Telecel\n0241234567 7\n0201234567 2', '0241234567 5').recipients).toEqual([
      '2: 0241234567 5GB Telecel',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('replaces a line that was ready, too', () => {
    expect(merged('0241234567 5\n0551234567 10', '+233241234567 10gb').recipients).toEqual([
      '1: 0241234567 10GB MTN',
      '2: 0551234567 10GB MTN',
    ])
  })

  test('replaces each line whose number it names, several at once', () => {
    expect(merged('0241234567 7\n0551234567 7', '0241234567 5, 0551234567 10').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
    ])
  })

  test('brings its headings along with its numbers', () => {
    expect(merged('MTN\n0241234567 7\n0551234567 7', 'Telecel\n5gb\n0241234567').recipients).toEqual([
      '2: 0241234567 5GB Telecel',
    ])
  })
})

describe('without a line’s number', () => {
  test('a number and its size go to the line whose number is most like it', () => {
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
    ['there are too many', '02412345678 5'],
    ['one is wrong', '0741234567 5'],
    ['letters stand among them', '02412E4567 5'],
    ['they cannot be told apart', '024 123 456 7 5gb'],
  ])('a number alone takes the place of the damaged one, and the size stays: %s', (_, line) => {
    const whole = merged(`Good morning\n${line}\n0551234567 10`, '0241234567')
    expect(whole.recipients).toEqual(['2: 0241234567 5GB MTN', '3: 0551234567 10GB MTN'])
  })

  test('a number alone that is like none goes to the first line that lacks one', () => {
    const { recipients, verdicts } = merged('Ama 2gb\n024123456 5', '0551234567')
    expect(recipients).toEqual(['1: 0551234567 2GB MTN'])
    expect(verdicts).toBe('rf')
  })

  test('several each take a line of their own', () => {
    expect(merged('Ama 2gb\nKofi 5gb', '0551234567\n0241234567').recipients).toEqual([
      '1: 0551234567 2GB MTN',
      '2: 0241234567 5GB MTN',
    ])
  })

  test('a number and its size go to the name that waits for that size', () => {
    expect(merged('Ama 2gb\nKofi 5gb', '0551234567 5').recipients).toEqual(['2: 0551234567 5GB MTN'])
  })

  test('the size on the line below stays', () => {
    expect(merged('024123456\n5gb\n0551234567 10', '0241234567').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '3: 0551234567 10GB MTN',
    ])
  })

  test('a size alone is for the first line whose size cannot be ordered', () => {
    const text = '0241234567 5\n0551234567 7\n0241234569 7'
    expect(merged(text, '10gb')).toMatchObject({
      recipients: ['1: 0241234567 5GB MTN', '2: 0551234567 10GB MTN'],
      verdicts: 'rrf',
    })
  })

  test('a network alone is for the first line that names none', () => {
    expect(merged('024123456 5\n0231234567 5', 'mtn').recipients).toEqual(['2: 0231234567 5GB MTN'])
  })

  test('what fits no line changes none', () => {
    expect(merged('024123456 5', '10gb').text).toBe('024123456 5')
    expect(merged('024123456 5', 'mtn').text).toBe('024123456 5')
  })

  test('a number that is like none is added', () => {
    expect(merged('024123456 5', '0209876543 2').recipients).toEqual(['2: 0209876543 2GB Telecel'])
  })
})

test('a number alone by its line’s number keeps the size of the line', () => {
  expect(merged('0241234567 5\n055123456 10gb', '2. 0551234567').recipients).toEqual([
    '1: 0241234567 5GB MTN',
    '2: 0551234567 10GB MTN',
  ])
  expect(merged('1. 0241234567 5\n2. Kwabena 10gb', '2. 0551234567').recipients).toEqual([
    '1: 0241234567 5GB MTN',
    '2: 0551234567 10GB MTN',
  ])
})

test('what is new is added at the end, apart from the headings above', () => {
  const { recipients, verdicts } = merged('Telecel\n0201234567 2', '0241234567 5\n0551234567 10')
  expect(recipients).toEqual(['2: 0201234567 2GB Telecel', '3: 0241234567 5GB MTN', '4: 0551234567 10GB MTN'])
  expect(verdicts).toBe('irrr')
})

test('a damaged correction is added, to be fixed', () => {
  expect(merged('0241234567 5', '055123456 10').verdicts).toBe('rf')
})

test('manners and empty lines add nothing', () => {
  expect(merged('0241234567 5', 'sorry, thanks\n\n').text).toBe('0241234567 5')
})

test('a correction is taken back line by line, and what it added becomes empty', () => {
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

describe('a suggestion', () => {
  const suggested = (text: string) => {
    const { lines } = readList(text, priceSnapshot)
    return lines.flatMap((line) => suggestionFor(line, lines) ?? [])
  }

  test.each([
    ['02412345O1 5', '02412345O1', '0241234501'],
    ['1. +23324l234567 5gb', '23324l234567', '0241234567'],
    ['241234567.0 5', '241234567.0', '0241234567'],
    ['0241234567 2,5gb', '2,5', '2.5'],
  ])('names what to write instead in “%s”', (text, written, instead) => {
    expect(suggested(`Hello\n${text}`)).toEqual([{ line: 2, place: 2, written, instead }])
  })

  test('is none where digits are missing, or where two things are wrong', () => {
    expect(suggested('024123456 5')).toEqual([])
    expect(suggested('02412345O1 2x5gb')).toEqual([])
  })

  test('is put into the line, whose other words stay', () => {
    const text = '1. Kofi 02412345O1 - 5GB mtn'
    expect(exchanged(text, '02412345O1', '0241234501')).toBe('1. Kofi 0241234501 - 5GB mtn')
    expect(exchanged('０２４12345O1 5', '02412345O1', '0241234501')).toBe('0241234501 5')
    expect(exchanged(text, '02412345O2', '0241234501')).toBeNull()
  })
})

test('corrections of a list of any size take one reading of each', () => {
  const phones = Array.from({ length: 5_000 }, (_, index) => `024${1_000_000 + index}`)
  const text = phones.map((phone) => `${phone} 7`).join('\n')
  const { recipients } = readList(
    mergeCorrections(text, phones.map((phone) => `${phone} 5`).join('\n'), priceSnapshot),
    priceSnapshot,
  )
  expect(recipients).toHaveLength(5_000)
})
