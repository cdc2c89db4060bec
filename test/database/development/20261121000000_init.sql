-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "keyHash" TEXT NOT NULL,
    "sealedKey" TEXT NOT NULL,
    "sealedSecret" TEXT NOT NULL,
    "accountType" TEXT,
    "balancePesewas" INTEGER,
    "balanceAt" DATETIME,
    "unauthorizedSince" DATETIME,
    "frozenUntil" DATETIME,
    "callbackSeenAt" DATETIME,
    "eraseBy" DATETIME,
    "auditSince" DATETIME,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Member" (
    "userId" BIGINT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Member_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Purchase" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "cause" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'single',
    "state" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "remark" TEXT,
    "cardMessageId" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "confirmedAt" DATETIME,
    "successorId" TEXT,
    "heldById" TEXT,
    "retryOfId" TEXT,
    "closedAt" DATETIME,
    CONSTRAINT "Purchase_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "List" (
    "purchaseId" TEXT NOT NULL PRIMARY KEY,
    "text" TEXT NOT NULL,
    "answers" TEXT NOT NULL,
    "fixedBundleId" INTEGER,
    "market" TEXT NOT NULL,
    CONSTRAINT "List_purchaseId_fkey" FOREIGN KEY ("purchaseId") REFERENCES "Purchase" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Order" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "purchaseId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL DEFAULT 0,
    "afterId" TEXT,
    "bundleId" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "volume" TEXT NOT NULL,
    "offerSlug" TEXT,
    "unitPricePesewas" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,
    "acceptedQuantity" INTEGER,
    "placement" TEXT NOT NULL,
    "reason" TEXT,
    "providerMessage" TEXT,
    "providerType" TEXT,
    "reference" TEXT,
    "inferred" BOOLEAN NOT NULL DEFAULT false,
    "status" TEXT,
    "statusReported" BOOLEAN NOT NULL DEFAULT false,
    "statusAt" DATETIME,
    "announcedStatus" TEXT,
    "callbackAt" DATETIME,
    "chargedPesewas" INTEGER,
    "balancePesewas" INTEGER,
    "waitsForId" TEXT,
    "sendAnyway" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "notBefore" DATETIME,
    "leaseToken" TEXT,
    "leaseUntil" DATETIME,
    "sentAt" DATETIME,
    "placedAt" DATETIME,
    "deliveredAt" DATETIME,
    "polls" INTEGER NOT NULL DEFAULT 0,
    "nextPollAt" DATETIME,
    "settleAt" DATETIME,
    "refundAt" DATETIME,
    "refundedPesewas" INTEGER,
    "clockOffsetMs" INTEGER,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Order_purchaseId_fkey" FOREIGN KEY ("purchaseId") REFERENCES "Purchase" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "Order_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Recipient" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "orderId" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "phone" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT,
    "statusAt" DATETIME,
    "reported" BOOLEAN NOT NULL DEFAULT false,
    "retryId" TEXT,
    CONSTRAINT "Recipient_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Event" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "orderId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "phone" TEXT,
    "happenedAt" DATETIME,
    "receivedAt" DATETIME NOT NULL,
    "body" TEXT,
    "appliedAt" DATETIME,
    "verdict" TEXT
);

-- CreateTable
CREATE TABLE "Notice" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "chatId" BIGINT NOT NULL,
    "subject" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "notBefore" DATETIME,
    "setAsideAt" DATETIME
);

-- CreateTable
CREATE TABLE "Follow" (
    "orderId" TEXT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "messageId" INTEGER,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("orderId", "chatId"),
    CONSTRAINT "Follow_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Chat" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "mutedAt" DATETIME,
    "invitedAt" DATETIME,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Request" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "accountId" TEXT NOT NULL,
    "at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "HalfCredential" (
    "chatId" BIGINT NOT NULL PRIMARY KEY,
    "sealedKey" TEXT NOT NULL,
    "sealedSecret" TEXT,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Session" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Invitation" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "createdBy" BIGINT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedBy" BIGINT,
    "usedAt" DATETIME
);

-- CreateTable
CREATE TABLE "Fact" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "Lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "token" TEXT NOT NULL,
    "until" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_keyHash_key" ON "Account"("keyHash");

-- CreateIndex
CREATE INDEX "Member_accountId_idx" ON "Member"("accountId");

-- CreateIndex
CREATE UNIQUE INDEX "Purchase_cause_key" ON "Purchase"("cause");

-- CreateIndex
CREATE INDEX "Purchase_accountId_createdAt_idx" ON "Purchase"("accountId", "createdAt");

-- CreateIndex
CREATE INDEX "Purchase_state_expiresAt_idx" ON "Purchase"("state", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Order_reference_key" ON "Order"("reference");

-- CreateIndex
CREATE INDEX "Order_accountId_createdAt_idx" ON "Order"("accountId", "createdAt");

-- CreateIndex
CREATE INDEX "Order_purchaseId_position_idx" ON "Order"("purchaseId", "position");

-- CreateIndex
CREATE INDEX "Order_afterId_idx" ON "Order"("afterId");

-- CreateIndex
CREATE INDEX "Order_placement_notBefore_idx" ON "Order"("placement", "notBefore");

-- CreateIndex
CREATE INDEX "Order_nextPollAt_idx" ON "Order"("nextPollAt");

-- CreateIndex
CREATE INDEX "Order_settleAt_idx" ON "Order"("settleAt");

-- CreateIndex
CREATE INDEX "Order_refundAt_idx" ON "Order"("refundAt");

-- CreateIndex
CREATE INDEX "Recipient_accountId_phone_idx" ON "Recipient"("accountId", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "Recipient_orderId_phone_key" ON "Recipient"("orderId", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "Event_digest_key" ON "Event"("digest");

-- CreateIndex
CREATE INDEX "Event_orderId_receivedAt_idx" ON "Event"("orderId", "receivedAt");

-- CreateIndex
CREATE INDEX "Event_appliedAt_idx" ON "Event"("appliedAt");

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_chatId_id_idx" ON "Notice"("setAsideAt", "chatId", "id");

-- CreateIndex
CREATE INDEX "Notice_subject_idx" ON "Notice"("subject");

-- CreateIndex
CREATE INDEX "Request_accountId_at_idx" ON "Request"("accountId", "at");

-- CreateIndex
CREATE INDEX "Request_at_idx" ON "Request"("at");
