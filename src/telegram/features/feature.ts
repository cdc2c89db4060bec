import type { Contact } from 'grammy/types'
import type { ButtonPress } from '../buttons/button.ts'
import type { Question } from '../chat/context.ts'
import type { Handler } from '../chat/handler.ts'

/** What one room of the bot answers. `features.ts` lists them all, and `routes.ts` and `messages.ts` loop over it. */
export interface Feature {
  /** By their names, without the slash. */
  commands?: Readonly<Record<string, Command>>
  /** What its buttons do, by their words in the table of `buttons/button.ts`. */
  presses?: Partial<PressHandlers>
  /** What may answer the questions that it asks, by their words in `chat/context.ts`. */
  questions?: Partial<AnswerHandlers>
  /** Texts that answer no question. Each returns whether it took the text. */
  texts?: Partial<Record<TextKind, TextReader>>
  /** What a link to the bot opens (`?start=s…`), by the first letter of what it carries. */
  links?: Readonly<Record<string, Handler<string>>>
  /** The commands and buttons that groups have too. */
  groups?: { commands: readonly string[]; presses: readonly ButtonPress['do'][] }
  /** Takes a message before anybody else, even before a command. @returns whether it did. */
  first?: Handler<void, boolean>
  /** Takes replies to its messages, whatever is asked meanwhile. */
  replies?: Replies
  /** Takes a shared contact that answers no question. */
  contact?: Handler<Contact>
  /** Takes a file or a picture that answers no question. @returns whether it did. */
  file?: Handler<Question | null, boolean>
  /** Reads an edited message again. */
  edited?: Handler
}

/** A command of private chats. */
export interface Command {
  /** Gets what was typed behind the command, without blanks at its ends. */
  run: Handler<string>
  /** Decides itself what becomes of the chat's question. All others end it. */
  keepsQuestion?: true
  /** Only shows something: a word for it (“balance”) is answered while a number is asked for, which stays asked. */
  onlyShows?: true
}

/** The handler of each button. */
export type PressHandlers = { [Do in ButtonPress['do']]: Handler<Extract<ButtonPress, { do: Do }>> }

/** What may answer each question. */
export type AnswerHandlers = {
  [What in Question['what']]: Answers<Extract<Question, { what: What }>>
}

/** What may answer one question. Without `text` and `rewritten`, the answer is read as any text is (`texts`). */
export interface Answers<Asked extends Question = Question> {
  /** The question is for an API key or a secret: every text is its answer, and other messages are refused by these. */
  secret?: { forwarded: Handler; file: Handler }
  /** Texts that stand for themselves. The question stays open. */
  staysFor?(text: string): boolean
  /** Texts that stand for themselves. The question ends. */
  endsFor?(text: string, question: Asked): boolean
  /** The question can be put off: a word for a command is answered, and this is said before. */
  stillAsked?: string
  /** Takes the answer. The question stays open until the handler ends it. */
  text?: Handler<Answer<Asked>>
  /** Writes the answer as a text that stands for itself; null if it is no answer, and the person was told so. */
  rewritten?: Handler<Answer<Asked>, string | null>
  /** Whether the number of a shared contact is an answer. */
  takesNumber?(number: string, question: Asked): boolean
  /** Whether a forwarded text may be an answer; if not, it is read as if nothing was asked. */
  takesForwarded?(question: Asked): boolean
  /** @returns false if the file is no answer. */
  file?: Handler<Asked, boolean>
}

/** A text, or the number of a contact, as the answer to a question. */
export interface Answer<Asked extends Question> {
  question: Asked
  text: string
}

/** The texts that stand for themselves, in the order in which they are tried: the first that fits takes the text. */
export const textKinds = [
  /** An order's reference, and nothing else. */
  'reference',
  /** Lines that correct a list. */
  'correction',
  /** `2x10gb`: several orders of one size, without their numbers. */
  'several_orders',
  'list',
  /** A number, with or without a size. */
  'order',
  /** `Kofi 5gb`. */
  'order_by_name',
  /** The name of a saved number. */
  'name',
  /** `Kofi 0241234567`. */
  'named_number',
  /** A text with a reference in it, such as a forwarded receipt. */
  'reference_within',
  /** An order by somebody who has no account. */
  'order_of_stranger',
] as const

/** One of the texts that stand for themselves. */
export type TextKind = (typeof textKinds)[number]

/** Takes a text, if it is of that kind. @returns whether it did. */
export type TextReader = Handler<{ text: string; question: Question | null }, boolean>

/** Takes replies to messages of ours that ask something by themselves. Each returns whether it did. */
export interface Replies {
  text: Handler<{ text: string; question: Question | null }, boolean>
  /** A picture, a voice message and the like. */
  media: Handler<Question | null, boolean>
  /** Answers a message that was taken before and is delivered again. */
  again: Handler<void, boolean>
}
