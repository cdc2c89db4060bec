/**
 * Writes a value into the data of a button, as words with colons between them, and reads it back. If there are several
 * values, each takes one word; only the last may take more.
 */
export interface Codec<T> {
  write(value: T): readonly string[]
  /**
   * Reads a value. It may accept other spellings (`007`), because the table refuses data that it would not write
   * itself.
   * @param words the value's own words, and those of the values after it.
   * @returns undefined if the words are not a value of this type.
   */
  read(words: readonly string[]): T | undefined
}

/** The values of a button by name, in the order of its data. */
export type Fields = Readonly<Record<string, Codec<unknown>>>

/** What a button carries: fields one after the other, or a codec that writes several values together. */
export type Contents = Fields | Codec<object>

/** The type of the value that a codec reads and writes, or of the object if there are several codecs by name. */
export type ValueOf<C> = C extends Codec<infer T> ? T : { [Name in keyof C]: ValueOf<C[Name]> }

/** One of several kinds of value. The field named by `Tag` holds the kind. */
export type Variant<Tag extends string, Kinds> = {
  [Kind in keyof Kinds]: Flat<{ [Name in Tag]: Kind } & ValueOf<Kinds[Kind]>>
}[keyof Kinds]

type Flat<T> = { [Name in keyof T]: T[Name] }

/**
 * A value of one word.
 * @param read returns undefined if the word is not a valid value.
 */
export const word = <T extends string | number>(read: (text: string) => T | undefined): Codec<T> => ({
  write: (value) => [String(value)],
  read: ([text]) => (text === undefined ? undefined : read(text)),
})

/** A word that matches `form`. */
export const matching = (form: RegExp): Codec<string> => word((text) => (form.test(text) ? text : undefined))

export const oneOf = <const T extends string>(values: readonly T[]): Codec<T> =>
  word((text) => values.find((value) => value === text))

export const whole = (min: number, max: number): Codec<number> =>
  word((text) => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })

/** A value that is written by `codec` as a value of another type. */
export const mapped = <From, To>(
  codec: Codec<From>,
  read: (value: From) => To | undefined,
  write: (value: To) => From,
): Codec<To> => ({
  write: (value) => codec.write(write(value)),
  read: (words) => {
    const value = codec.read(words)
    return value === undefined ? undefined : read(value)
  },
})

/** `1` or `0`. */
export const flag: Codec<boolean> = mapped(
  oneOf(['0', '1']),
  (digit) => digit === '1',
  (on) => (on ? '1' : '0'),
)

/** A value or null. @param none the word that stands for null. */
export const nullAs = <T>(none: string, codec: Codec<T>): Codec<T | null> => ({
  write: (value) => (value === null ? [none] : codec.write(value)),
  read: (words) => (words[0] === none ? null : codec.read(words)),
})

/** The last value of a button. For `none`, no word is written. */
export const optional = <T, None>(codec: Codec<T>, none: None): Codec<T | None> => ({
  write: (value) => (value === none ? [] : codec.write(value as T)),
  read: (words) => (words.length === 0 ? none : codec.read(words)),
})

/** Several values by name, one after the other. */
export const together = <F extends Fields>(fields: F): Codec<ValueOf<F> & object> => {
  const codecs = Object.entries(fields)
  return {
    write: (values) => codecs.flatMap(([name, codec]) => codec.write(Reflect.get(values, name))),
    read: (words) => {
      const values = codecs.map(([name, codec], index) => [name, codec.read(words.slice(index))] as const)
      if (values.some(([, value]) => value === undefined)) return undefined
      return Object.fromEntries(values) as ValueOf<F> & object
    },
  }
}

const isCodec = (contents: Contents): contents is Codec<object> => typeof contents.read === 'function'

/** One of several kinds of value: the first word names the kind, and the values of that kind follow. */
export const variants = <Tag extends string, Kinds extends Readonly<Record<string, Contents>>>(
  tag: Tag,
  kinds: Kinds,
): Codec<Variant<Tag, Kinds>> => {
  const codecs = new Map(
    Object.entries(kinds).map(([kind, contents]) => [
      kind,
      isCodec(contents) ? contents : together(contents),
    ]),
  )
  return {
    write: (value) => {
      const kind = String(value[tag])
      return [kind, ...(codecs.get(kind)?.write(value) ?? [])]
    },
    read: ([kind = '', ...words]) => {
      const values = codecs.get(kind)?.read(words)
      return values && ({ [tag]: kind, ...values } as Variant<Tag, Kinds>)
    },
  }
}
