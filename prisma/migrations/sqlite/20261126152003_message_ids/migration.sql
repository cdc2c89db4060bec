-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Purchase" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "cause" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'single',
    "state" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "remark" TEXT,
    "cardMessageId" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "confirmedAt" DATETIME,
    "successorId" TEXT,
    "heldById" TEXT,
    "retryOfId" TEXT,
    "closedAt" DATETIME,
    CONSTRAINT "Purchase_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_Purchase" ("accountId", "cardMessageId", "cause", "chatId", "closedAt", "confirmedAt", "createdAt", "expiresAt", "heldById", "id", "kind", "lines", "remark", "retryOfId", "state", "successorId", "userId") SELECT "accountId", "cardMessageId", "cause", "chatId", "closedAt", "confirmedAt", "createdAt", "expiresAt", "heldById", "id", "kind", "lines", "remark", "retryOfId", "state", "successorId", "userId" FROM "Purchase";
DROP TABLE "Purchase";
ALTER TABLE "new_Purchase" RENAME TO "Purchase";
CREATE UNIQUE INDEX "Purchase_cause_key" ON "Purchase"("cause");
CREATE INDEX "Purchase_accountId_createdAt_idx" ON "Purchase"("accountId", "createdAt");
CREATE INDEX "Purchase_state_expiresAt_idx" ON "Purchase"("state", "expiresAt");
CREATE TABLE "new_Unanswered" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "cause" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "ask" TEXT NOT NULL,
    "messageId" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "tryAt" DATETIME NOT NULL,
    "until" DATETIME NOT NULL
);
INSERT INTO "new_Unanswered" ("accountId", "ask", "cause", "chatId", "createdAt", "id", "kind", "messageId", "tryAt", "until", "userId") SELECT "accountId", "ask", "cause", "chatId", "createdAt", "id", "kind", "messageId", "tryAt", "until", "userId" FROM "Unanswered";
DROP TABLE "Unanswered";
ALTER TABLE "new_Unanswered" RENAME TO "Unanswered";
CREATE UNIQUE INDEX "Unanswered_cause_key" ON "Unanswered"("cause");
CREATE INDEX "Unanswered_tryAt_idx" ON "Unanswered"("tryAt");
CREATE INDEX "Unanswered_chatId_kind_idx" ON "Unanswered"("chatId", "kind");
CREATE TABLE "new_Alarm" (
    "chatId" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "messageId" BIGINT NOT NULL,
    "since" DATETIME NOT NULL,

    PRIMARY KEY ("chatId", "name")
);
INSERT INTO "new_Alarm" ("chatId", "messageId", "name", "since") SELECT "chatId", "messageId", "name", "since" FROM "Alarm";
DROP TABLE "Alarm";
ALTER TABLE "new_Alarm" RENAME TO "Alarm";
CREATE TABLE "new_Warning" (
    "chatId" BIGINT NOT NULL,
    "messageId" BIGINT NOT NULL,
    "purchaseId" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "mistaken" TEXT,
    "says" TEXT NOT NULL,
    "isOwed" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("chatId", "messageId")
);
INSERT INTO "new_Warning" ("chatId", "isOwed", "messageId", "mistaken", "orderId", "purchaseId", "says") SELECT "chatId", "isOwed", "messageId", "mistaken", "orderId", "purchaseId", "says" FROM "Warning";
DROP TABLE "Warning";
ALTER TABLE "new_Warning" RENAME TO "Warning";
CREATE INDEX "Warning_purchaseId_idx" ON "Warning"("purchaseId");
CREATE TABLE "new_Follow" (
    "orderId" TEXT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "messageId" BIGINT,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("orderId", "chatId"),
    CONSTRAINT "Follow_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
INSERT INTO "new_Follow" ("chatId", "createdAt", "messageId", "orderId") SELECT "chatId", "createdAt", "messageId", "orderId" FROM "Follow";
DROP TABLE "Follow";
ALTER TABLE "new_Follow" RENAME TO "Follow";
CREATE INDEX "Follow_chatId_createdAt_idx" ON "Follow"("chatId", "createdAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- A rebuilt table loses its triggers.
CREATE TRIGGER "Purchase_released" AFTER UPDATE OF "heldById" ON "Purchase"
  WHEN OLD."heldById" IS NOT NULL AND NEW."heldById" IS NULL
BEGIN
  INSERT INTO "Duty" ("kind", "key", "due") VALUES ('placing', NEW."accountId", NEW."createdAt")
    ON CONFLICT ("kind", "key") DO UPDATE SET "due" = MIN("due", excluded."due"), "causes" = "causes" + 1;
END;
