-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT COLLATE "C" NOT NULL,
    "keyHash" TEXT COLLATE "C" NOT NULL,
    "sealedKey" TEXT COLLATE "C" NOT NULL,
    "sealedSecret" TEXT COLLATE "C" NOT NULL,
    "accountType" TEXT COLLATE "C",
    "balancePesewas" INTEGER,
    "balanceAt" TIMESTAMP(3),
    "explainedPesewas" INTEGER,
    "unauthorizedSince" TIMESTAMP(3),
    "refusalToldAt" TIMESTAMP(3),
    "verifyAt" TIMESTAMP(3),
    "frozenUntil" TIMESTAMP(3),
    "callbackSeenAt" TIMESTAMP(3),
    "eraseBy" TIMESTAMP(3),
    "forgetAt" TIMESTAMP(3),
    "auditSince" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Member" (
    "userId" BIGINT NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "chatId" BIGINT NOT NULL,
    "role" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "name" TEXT COLLATE "C",
    "invitedBy" BIGINT,
    "dailyLimitPesewas" INTEGER,
    "raisedPesewas" INTEGER,
    "raisedAt" TIMESTAMP(3),
    "askedAt" TIMESTAMP(3),
    "askedFor" TEXT COLLATE "C",
    "ruleKind" TEXT COLLATE "C",
    "ruleValue" INTEGER NOT NULL DEFAULT 0,
    "roundPesewas" INTEGER NOT NULL DEFAULT 1,
    "networks" TEXT COLLATE "C",
    "pausedAt" TIMESTAMP(3),
    "resumedAt" TIMESTAMP(3),
    "notifyLevel" TEXT COLLATE "C" NOT NULL DEFAULT 'problems',

    CONSTRAINT "Member_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Shop" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "ruleKind" TEXT COLLATE "C",
    "ruleValue" INTEGER NOT NULL DEFAULT 0,
    "roundPesewas" INTEGER NOT NULL DEFAULT 1,
    "phone" TEXT COLLATE "C",
    "accent" TEXT COLLATE "C",
    "letter" TEXT COLLATE "C",
    "nameAskedAt" TIMESTAMP(3),
    "agentPrices" TEXT COLLATE "C",

    CONSTRAINT "Shop_pkey" PRIMARY KEY ("accountId")
);

-- CreateTable
CREATE TABLE "HiddenBundle" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "bundleId" INTEGER NOT NULL,

    CONSTRAINT "HiddenBundle_pkey" PRIMARY KEY ("accountId","bundleId")
);

-- CreateTable
CREATE TABLE "PriceTier" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "fromMegabytes" INTEGER NOT NULL,
    "ruleKind" TEXT COLLATE "C" NOT NULL,
    "ruleValue" INTEGER NOT NULL,
    "roundPesewas" INTEGER NOT NULL,

    CONSTRAINT "PriceTier_pkey" PRIMARY KEY ("accountId","network","fromMegabytes")
);

-- CreateTable
CREATE TABLE "SellingPrice" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "bundleId" INTEGER NOT NULL,
    "pricePesewas" INTEGER NOT NULL,

    CONSTRAINT "SellingPrice_pkey" PRIMARY KEY ("accountId","bundleId")
);

-- CreateTable
CREATE TABLE "Preference" (
    "userId" BIGINT NOT NULL,
    "notify" TEXT COLLATE "C" NOT NULL DEFAULT 'final',
    "quietFrom" INTEGER,
    "quietTo" INTEGER,
    "lowBalancePesewas" INTEGER,
    "lowBalanceToldAt" TIMESTAMP(3),
    "defaultNetwork" TEXT COLLATE "C",
    "freeRepeatPesewas" INTEGER,
    "summaryHour" INTEGER,
    "summaryAt" TIMESTAMP(3),
    "summaryToldTo" TIMESTAMP(3),
    "timeZone" TEXT COLLATE "C" NOT NULL DEFAULT 'Africa/Accra',
    "tellsSlow" BOOLEAN NOT NULL DEFAULT false,
    "slowNetworks" TEXT COLLATE "C" NOT NULL DEFAULT '',

    CONSTRAINT "Preference_pkey" PRIMARY KEY ("userId")
);

-- CreateTable
CREATE TABLE "Contact" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "agentId" BIGINT NOT NULL DEFAULT 0,
    "phone" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "nameKey" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Contact_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PortedNumber" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "phone" TEXT COLLATE "C" NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "keptAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PortedNumber_pkey" PRIMARY KEY ("accountId","phone")
);

-- CreateTable
CREATE TABLE "BookChange" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "agentId" BIGINT NOT NULL,
    "entries" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BookChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Enquiry" (
    "id" TEXT COLLATE "C" NOT NULL,
    "orderId" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "customerChatId" BIGINT NOT NULL,
    "cause" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "answerCause" TEXT COLLATE "C",
    "answeredAt" TIMESTAMP(3),
    "blockedAt" TIMESTAMP(3),

    CONSTRAINT "Enquiry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Complaint" (
    "id" TEXT COLLATE "C" NOT NULL,
    "orderId" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER,
    "raisedBy" BIGINT NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "photoId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "deadlineAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "remindAt" TIMESTAMP(3),
    "openFor" TEXT COLLATE "C",
    "end" TEXT COLLATE "C",
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "Complaint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Purchase" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "cause" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL DEFAULT 'single',
    "state" TEXT COLLATE "C" NOT NULL,
    "lines" TEXT COLLATE "C" NOT NULL,
    "remark" TEXT COLLATE "C",
    "cardMessageId" BIGINT,
    "isBare" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "confirmedAt" TIMESTAMP(3),
    "successorId" TEXT COLLATE "C",
    "heldById" TEXT COLLATE "C",
    "retryOfId" TEXT COLLATE "C",
    "closedAt" TIMESTAMP(3),

    CONSTRAINT "Purchase_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "List" (
    "purchaseId" TEXT COLLATE "C" NOT NULL,
    "text" TEXT COLLATE "C" NOT NULL,
    "answers" TEXT COLLATE "C" NOT NULL,
    "fixedBundleId" INTEGER,
    "priceSnapshot" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "List_pkey" PRIMARY KEY ("purchaseId")
);

-- CreateTable
CREATE TABLE "Unanswered" (
    "id" TEXT COLLATE "C" NOT NULL,
    "cause" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "ask" TEXT COLLATE "C" NOT NULL,
    "messageId" BIGINT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "tryAt" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Unanswered_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Reminder" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "userId" BIGINT NOT NULL,
    "phone" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C",
    "bundleId" INTEGER NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "volume" TEXT COLLATE "C" NOT NULL,
    "offerSlug" TEXT COLLATE "C",
    "weekday" INTEGER NOT NULL,
    "minutes" INTEGER NOT NULL,
    "nextAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Reminder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Order" (
    "id" TEXT COLLATE "C" NOT NULL,
    "purchaseId" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL DEFAULT 0,
    "afterId" TEXT COLLATE "C",
    "bundleId" INTEGER NOT NULL,
    "network" TEXT COLLATE "C" NOT NULL,
    "volume" TEXT COLLATE "C" NOT NULL,
    "offerSlug" TEXT COLLATE "C",
    "unitPricePesewas" INTEGER NOT NULL,
    "sellUnitPesewas" INTEGER,
    "agentUnitPesewas" INTEGER,
    "quantity" INTEGER NOT NULL,
    "acceptedQuantity" INTEGER,
    "placement" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C",
    "providerMessage" TEXT COLLATE "C",
    "providerType" TEXT COLLATE "C",
    "answerStatus" INTEGER,
    "reference" TEXT COLLATE "C",
    "inferred" BOOLEAN NOT NULL DEFAULT false,
    "otherReference" TEXT COLLATE "C",
    "status" TEXT COLLATE "C",
    "statusReported" BOOLEAN NOT NULL DEFAULT false,
    "statusAt" TIMESTAMP(3),
    "announcedStatus" TEXT COLLATE "C",
    "callbackAt" TIMESTAMP(3),
    "chargedPesewas" INTEGER,
    "balancePesewas" INTEGER,
    "waitsForId" TEXT COLLATE "C",
    "sendAnyway" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "notBefore" TIMESTAMP(3),
    "leaseToken" TEXT COLLATE "C",
    "leaseUntil" TIMESTAMP(3),
    "sentAt" TIMESTAMP(3),
    "placedAt" TIMESTAMP(3),
    "answeredAt" TIMESTAMP(3),
    "deliveredAt" TIMESTAMP(3),
    "deliverySeconds" INTEGER,
    "ownerChatId" BIGINT,
    "agentName" TEXT COLLATE "C",
    "polls" INTEGER NOT NULL DEFAULT 0,
    "nextPollAt" TIMESTAMP(3),
    "reconcileAt" TIMESTAMP(3),
    "refundAt" TIMESTAMP(3),
    "refundedPesewas" INTEGER,
    "extraPesewas" INTEGER,
    "extraAt" TIMESTAMP(3),
    "clockOffsetMs" INTEGER,
    "redactedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Order_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Recipient" (
    "id" TEXT COLLATE "C" NOT NULL,
    "orderId" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "phone" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT COLLATE "C",
    "statusAt" TIMESTAMP(3),
    "reported" BOOLEAN NOT NULL DEFAULT false,
    "retryId" TEXT COLLATE "C",

    CONSTRAINT "Recipient_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StatusReport" (
    "id" SERIAL NOT NULL,
    "orderId" TEXT COLLATE "C" NOT NULL,
    "source" TEXT COLLATE "C" NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "reference" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL,
    "phone" TEXT COLLATE "C",
    "happenedAt" TIMESTAMP(3),
    "receivedAt" TIMESTAMP(3) NOT NULL,
    "body" TEXT COLLATE "C",
    "appliedAt" TIMESTAMP(3),
    "disposition" TEXT COLLATE "C",

    CONSTRAINT "StatusReport_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Notice" (
    "id" SERIAL NOT NULL,
    "chatId" BIGINT NOT NULL,
    "subject" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "data" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "notBefore" TIMESTAMP(3),
    "quietUntil" TIMESTAMP(3),
    "setAsideAt" TIMESTAMP(3),
    "mutedAt" TIMESTAMP(3),

    CONSTRAINT "Notice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Alert" (
    "chatId" BIGINT NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "messageId" BIGINT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Alert_pkey" PRIMARY KEY ("chatId","name")
);

-- CreateTable
CREATE TABLE "Warning" (
    "chatId" BIGINT NOT NULL,
    "messageId" BIGINT NOT NULL,
    "purchaseId" TEXT COLLATE "C" NOT NULL,
    "orderId" TEXT COLLATE "C" NOT NULL,
    "mistaken" TEXT COLLATE "C",
    "says" TEXT COLLATE "C" NOT NULL,
    "isOwed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Warning_pkey" PRIMARY KEY ("chatId","messageId")
);

-- CreateTable
CREATE TABLE "Follow" (
    "orderId" TEXT COLLATE "C" NOT NULL,
    "chatId" BIGINT NOT NULL,
    "messageId" BIGINT,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Follow_pkey" PRIMARY KEY ("orderId","chatId")
);

-- CreateTable
CREATE TABLE "Chat" (
    "id" BIGINT NOT NULL,
    "mutedAt" TIMESTAMP(3),
    "invitedAt" TIMESTAMP(3),
    "menu" TEXT COLLATE "C",
    "blockedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Chat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Request" (
    "id" SERIAL NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PendingCredential" (
    "chatId" BIGINT NOT NULL,
    "sealedKey" TEXT COLLATE "C" NOT NULL,
    "sealedSecret" TEXT COLLATE "C",
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PendingCredential_pkey" PRIMARY KEY ("chatId")
);

-- CreateTable
CREATE TABLE "Session" (
    "key" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "Invitation" (
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "createdBy" BIGINT NOT NULL,
    "accountId" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedBy" BIGINT,
    "usedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "Invitation_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "Fact" (
    "name" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "Fact_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "Lease" (
    "name" TEXT COLLATE "C" NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Lease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "KeptUpdate" (
    "id" BIGINT NOT NULL,
    "sealed" TEXT COLLATE "C" NOT NULL,
    "receivedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "KeptUpdate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SecurityEvent" (
    "id" SERIAL NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "account" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "detail" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SecurityEvent_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_keyHash_key" ON "Account"("keyHash");

-- CreateIndex
CREATE INDEX "Member_accountId_idx" ON "Member"("accountId");

-- CreateIndex
CREATE INDEX "Preference_summaryAt_idx" ON "Preference"("summaryAt");

-- CreateIndex
CREATE INDEX "Contact_accountId_agentId_nameKey_idx" ON "Contact"("accountId", "agentId", "nameKey");

-- CreateIndex
CREATE UNIQUE INDEX "Contact_accountId_agentId_phone_key" ON "Contact"("accountId", "agentId", "phone");

-- CreateIndex
CREATE INDEX "PortedNumber_keptAt_idx" ON "PortedNumber"("keptAt");

-- CreateIndex
CREATE INDEX "BookChange_accountId_agentId_idx" ON "BookChange"("accountId", "agentId");

-- CreateIndex
CREATE INDEX "BookChange_createdAt_idx" ON "BookChange"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Enquiry_cause_key" ON "Enquiry"("cause");

-- CreateIndex
CREATE INDEX "Enquiry_customerChatId_createdAt_idx" ON "Enquiry"("customerChatId", "createdAt");

-- CreateIndex
CREATE INDEX "Enquiry_orderId_idx" ON "Enquiry"("orderId");

-- CreateIndex
CREATE INDEX "Enquiry_accountId_idx" ON "Enquiry"("accountId");

-- CreateIndex
CREATE INDEX "Enquiry_answerCause_idx" ON "Enquiry"("answerCause");

-- CreateIndex
CREATE UNIQUE INDEX "Complaint_openFor_key" ON "Complaint"("openFor");

-- CreateIndex
CREATE INDEX "Complaint_orderId_idx" ON "Complaint"("orderId");

-- CreateIndex
CREATE INDEX "Complaint_accountId_idx" ON "Complaint"("accountId");

-- CreateIndex
CREATE INDEX "Complaint_raisedBy_createdAt_idx" ON "Complaint"("raisedBy", "createdAt");

-- CreateIndex
CREATE INDEX "Complaint_open_idx" ON "Complaint"("id") WHERE ("openFor" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "Purchase_cause_key" ON "Purchase"("cause");

-- CreateIndex
CREATE INDEX "Purchase_accountId_createdAt_idx" ON "Purchase"("accountId", "createdAt");

-- CreateIndex
CREATE INDEX "Purchase_state_expiresAt_idx" ON "Purchase"("state", "expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "Unanswered_cause_key" ON "Unanswered"("cause");

-- CreateIndex
CREATE INDEX "Unanswered_tryAt_idx" ON "Unanswered"("tryAt");

-- CreateIndex
CREATE INDEX "Unanswered_chatId_kind_idx" ON "Unanswered"("chatId", "kind");

-- CreateIndex
CREATE INDEX "Reminder_nextAt_idx" ON "Reminder"("nextAt");

-- CreateIndex
CREATE UNIQUE INDEX "Reminder_userId_phone_bundleId_weekday_minutes_key" ON "Reminder"("userId", "phone", "bundleId", "weekday", "minutes");

-- CreateIndex
CREATE UNIQUE INDEX "Order_reference_key" ON "Order"("reference");

-- CreateIndex
CREATE INDEX "Order_history_idx" ON "Order"("accountId", "createdAt", "purchaseId", "placement", "status", "network", "userId", "kind", "reference", "id");

-- CreateIndex
CREATE INDEX "Order_accountId_network_idx" ON "Order"("accountId", "network");

-- CreateIndex
CREATE INDEX "Order_accountId_userId_createdAt_idx" ON "Order"("accountId", "userId", "createdAt");

-- CreateIndex
CREATE INDEX "Order_purchaseId_position_idx" ON "Order"("purchaseId", "position");

-- CreateIndex
CREATE INDEX "Order_afterId_idx" ON "Order"("afterId");

-- CreateIndex
CREATE INDEX "Order_placement_accountId_afterId_notBefore_createdAt_idx" ON "Order"("placement", "accountId", "afterId", "notBefore", "createdAt");

-- CreateIndex
CREATE INDEX "Order_placement_notBefore_createdAt_accountId_idx" ON "Order"("placement", "notBefore", "createdAt", "accountId") WHERE ("placement" = 'queued' AND "afterId" IS NULL);

-- CreateIndex
CREATE INDEX "Order_nextPollAt_accountId_idx" ON "Order"("nextPollAt", "accountId") WHERE ("nextPollAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Order_accountId_nextPollAt_idx" ON "Order"("accountId", "nextPollAt") WHERE ("nextPollAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Order_reconcileAt_accountId_idx" ON "Order"("reconcileAt", "accountId") WHERE ("reconcileAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Order_accountId_reconcileAt_idx" ON "Order"("accountId", "reconcileAt") WHERE ("reconcileAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Order_refundAt_accountId_idx" ON "Order"("refundAt", "accountId") WHERE ("refundAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Order_accountId_refundAt_idx" ON "Order"("accountId", "refundAt") WHERE ("refundAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Order_otherReference_idx" ON "Order"("otherReference");

-- CreateIndex
CREATE INDEX "Order_refused_idx" ON "Order"("placement", "reason", "createdAt", "accountId") WHERE ("placement" = 'rejected' AND "reason" = 'balance');

-- CreateIndex
CREATE INDEX "Order_redactedAt_createdAt_idx" ON "Order"("redactedAt", "createdAt");

-- CreateIndex
CREATE INDEX "Recipient_orderId_status_reported_idx" ON "Recipient"("orderId", "status", "reported");

-- CreateIndex
CREATE INDEX "Recipient_accountId_phone_idx" ON "Recipient"("accountId", "phone");

-- CreateIndex
CREATE UNIQUE INDEX "Recipient_orderId_phone_key" ON "Recipient"("orderId", "phone");

-- CreateIndex
CREATE INDEX "StatusReport_appliedAt_idx" ON "StatusReport"("appliedAt");

-- CreateIndex
CREATE UNIQUE INDEX "StatusReport_orderId_digest_key" ON "StatusReport"("orderId", "digest");

-- CreateIndex
CREATE INDEX "Notice_chatId_id_idx" ON "Notice"("chatId", "id");

-- CreateIndex
CREATE INDEX "Notice_setAsideAt_id_idx" ON "Notice"("setAsideAt", "id") WHERE ("setAsideAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "Notice_subject_idx" ON "Notice"("subject");

-- CreateIndex
CREATE INDEX "Notice_quietUntil_notBefore_id_chatId_idx" ON "Notice"("quietUntil", "notBefore", "id", "chatId") WHERE ("setAsideAt" IS NULL AND "mutedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Notice_chatId_id_quietUntil_idx" ON "Notice"("chatId", "id", "quietUntil") WHERE ("setAsideAt" IS NULL AND "mutedAt" IS NULL);

-- CreateIndex
CREATE INDEX "Warning_purchaseId_idx" ON "Warning"("purchaseId");

-- CreateIndex
CREATE INDEX "Follow_chatId_createdAt_idx" ON "Follow"("chatId", "createdAt");

-- CreateIndex
CREATE INDEX "Request_accountId_at_idx" ON "Request"("accountId", "at");

-- CreateIndex
CREATE INDEX "Request_at_idx" ON "Request"("at");

-- CreateIndex
CREATE INDEX "Invitation_accountId_idx" ON "Invitation"("accountId");

-- CreateIndex
CREATE INDEX "SecurityEvent_account_id_idx" ON "SecurityEvent"("account", "id");

-- AddForeignKey
ALTER TABLE "Member" ADD CONSTRAINT "Member_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Shop" ADD CONSTRAINT "Shop_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PriceTier" ADD CONSTRAINT "PriceTier_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SellingPrice" ADD CONSTRAINT "SellingPrice_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Complaint" ADD CONSTRAINT "Complaint_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Purchase" ADD CONSTRAINT "Purchase_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "List" ADD CONSTRAINT "List_purchaseId_fkey" FOREIGN KEY ("purchaseId") REFERENCES "Purchase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_purchaseId_fkey" FOREIGN KEY ("purchaseId") REFERENCES "Purchase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Order" ADD CONSTRAINT "Order_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Recipient" ADD CONSTRAINT "Recipient_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Follow" ADD CONSTRAINT "Follow_orderId_fkey" FOREIGN KEY ("orderId") REFERENCES "Order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
