import type { Contact } from 'grammy/types'
import type { ButtonPress } from '../buttons/button.ts'
import type { Question } from '../chat/context.ts'
import type { Handler } from '../chat/handler.ts'

/**
 * One room of the bot: what it answers. `features.ts` lists all rooms; `routes.ts` and `messages.ts` ask them in turn.
 */
export interface Feature {
  /** The commands, by name without the slash. */
  commands?: Readonly<Record<string, Command>>
  /** The handlers of its buttons, by their word in the table of `buttons/button.ts`. */
  presses?: Partial<PressHandlers>
  /** The handlers of answers to its questions, by their word in `chat/context.ts`. */
  questions?: Partial<AnswerHandlers>
  /** Handlers for texts that answer no question. Each returns whether it took the text. */
  texts?: Partial<Record<TextKind, TextReader>>
  /** The handlers of links to the bot (`?start=s…`), by the first letter of their payload. */
  links?: Readonly<Record<string, Handler<string>>>
  /** The commands and buttons that also work in groups. */
  groups?: { commands: readonly string[]; presses: readonly ButtonPress['do'][] }
  /** Takes a message before all other handlers, even before commands. @returns whether it took the message. */
  first?: Handler<void, boolean>
  /** Takes replies to the room's messages, whatever question is pending. */
  replies?: Replies
  /** Takes a shared contact that answers no question. */
  contact?: Handler<Contact>
  /** Takes a file or a picture that answers no question. @returns whether it took it. */
  file?: Handler<Question | null, boolean>
  /** Reads a message that was edited. */
  edited?: Handler
}

/** A command in private chats. */
export interface Command {
  /** Receives the trimmed text after the command. */
  run: Handler<string>
  /** Whether the handler itself decides what happens to the pending question. All other commands end it. */
  keepsQuestion?: true
  /**
   * Whether the command only shows something. Then a word for it (“balance”) is answered while a number is asked for,
   * and the question stays open.
   */
  onlyShows?: true
}

/** The handler of each button. */
export type PressHandlers = { [Do in ButtonPress['do']]: Handler<Extract<ButtonPress, { do: Do }>> }

/** For each question, what handles its answers. */
export type AnswerHandlers = {
  [What in Question['what']]: Answers<Extract<Question, { what: What }>>
}

/**
 * What handles the answers to one question. Without `text` and `rewritten`, the answer is read like any text (`texts`).
 */
export interface Answers<Asked extends Question = Question> {
  /**
   * Set if the question asks for an API key or secret. Then every text is an answer, and these handlers refuse other
   * messages.
   */
  secret?: { forwarded: Handler; file: Handler }
  /** Whether the text is a message of its own, for which the question stays open. */
  staysFor?(text: string): boolean
  /** Whether the text is a message of its own, which ends the question. */
  endsFor?(text: string, question: Asked): boolean
  /** Set if the question can be put off. A word for a command is then answered, and this is said first. */
  stillAsked?: string
  /** Takes the answer. The question stays open until this handler ends it. */
  text?: Handler<Answer<Asked>>
  /**
   * Rewrites the answer as a text that can be read on its own; null if it is no answer, after telling the person so.
   */
  rewritten?: Handler<Answer<Asked>, string | null>
  /** Whether the number of a shared contact can be an answer. */
  takesNumber?(number: string, question: Asked): boolean
  /** Whether a forwarded text can be an answer. If not, it is read as if no question were open. */
  takesForwarded?(question: Asked): boolean
  /** @returns false if the file is no answer. */
  file?: Handler<Asked, boolean>
}

/** An answer to a question: a text, or the number of a contact. */
export interface Answer<Asked extends Question> {
  question: Asked
  text: string
}

/**
 * The kinds of texts that can be read on their own, in the order in which they are tried. The first that matches takes
 * the text.
 */
export const textKinds = [
  /** An order's reference and nothing else. */
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
  /** `Kofi 0241234567`: a name and its number. */
  'named_number',
  /** A text with a reference in it, such as a forwarded receipt. */
  'reference_within',
  /** An order from a person who has no account. */
  'order_of_stranger',
] as const

export type TextKind = (typeof textKinds)[number]

/** Takes a text if it is of that kind. @returns whether it did. */
export type TextReader = Handler<{ text: string; question: Question | null }, boolean>

/** Handlers of replies to the room's own messages. Each returns whether it took the reply. */
export interface Replies {
  text: Handler<{ text: string; question: Question | null }, boolean>
  /** Takes a picture, a voice message and the like. */
  media: Handler<Question | null, boolean>
  /** Answers a message that was taken before and is delivered again. */
  again: Handler<void, boolean>
}
