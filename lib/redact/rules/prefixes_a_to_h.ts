// Tokens of providers by their prefix, classes from A to H. Pure.
//
// A line is a row of `tokens.ts`: the class, the alphabet of the rest of a token, the minimum length of that rest,
// and the prefixes. A token ends only where its alphabet ends, so lengths are lower limits.

export const PREFIXES_A_TO_H = `
adafruit-key alnum 28 aio_
adobe-secret lower 30 p8e-
age-key upper 50 AGE-SECRET-KEY-1
aikido-key alnum 20 AIK_CI_ AIK_SECRET_
airtable-token dotted 70 pat
aiven-password word 16 AVNS_
akamai-key dotted 30 akab-
alibaba-key alnum 16 LTAI
alibaba-key alnum 16 STS.
anthropic-key word 20 sk-ant-
apify-token word 30 apify_api_
appsync-key lower 26 da2-
asaas-token base64 20 $aact_
artifactory-token alnum 60 AKCp
artifactory-token alnum 50 cmVmdGtu
artifactory-token alnum 59 cmVmd
astra-token any 20 AstraCS:
atlassian-token base64 28 ATBB
atlassian-token base64 36 BBDC-
atlassian-token base64 20 ATATT3 ATCTT3
aws-access-key upper 16 AKIA ASIA ABIA ACCA
aws-access-key upper 17 A3T
aws-access-key base64 100 ABSK
aws-access-key base64 20 bedrock-api-key-
axiom-token word 36 xaat- xapt-
baidu-key any 40 bce-v3/
backblaze-key base64 28 K001 K002 K003 K004 K005
bannerbear-key hex 28 bb_pr_ bb_ma_
beamer-token base64 44 b_
besttime-key hex 32 pri_
bitcoin-key alnum 100 xprv yprv zprv
braintree-token any 40 access_token$production$ access_token$sandbox$
brave-key word 24 BSA
brevo-key word 60 xkeysib- xsmtpsib-
buildkite-token word 40 bkaj_ bkps_
buildkite-token lower 38 bkua_
buildkite-token word 60 bkaa_ bkar_ bkct_ bkpt_
cal-key hex 28 cal_live_
canva-secret word 50 cnvca
cerebras-key alnum 36 csk-
checkout-key word 36 sk_test_ sk_sbox_
circleci-token word 40 CCIPAT_ CCIPRJ_
clerk-key alnum 32 ak_
clickhouse-key alnum 38 4b1d
clojars-token lower 40 CLOJARS_
close-key dotted 40 api_
cloudflare-token word 140 v1.0-
cloudflare-token alnum 36 cfut_ cfat_ cfk_
cloudflare-token word 24 0x4AAAAAAA
cloudsmith-key alnum 32 csa_
cockroach-key word 55 CCDB1_
codecov-token word 30 codecov_
coderabbit-key hex 50 cr-
cohere-key alnum 38 co_
column-key alnum 26 live_ test_
configcat-key any 40 configcat-sdk-1/
contentful-token word 36 CFPAT-
crates-token alnum 32 cio
cursor-key hex 60 key_
databento-key alnum 29 db-
databricks-token hex 30 dapi dose dkea
datadog-key alnum 30 ddapi_ ddapp_ ddpat_
defined-networking-token word 50 dnkey-
dbt-token word 30 dbtc_ dbtu_ dbts_
deno-token alnum 36 ddp_ ddo_ ddw_
dependency-track-key alnum 32 odt_
devcycle-key word 12 dvc_server_ dvc_mobile_ dvc_client_
devin-key lower 50 cog_
devin-key base64 80 apk_ apk_user_
dfuse-key lower 32 web_ server_ mobile_
digitalocean-token alnum 40 dop_v1_ doo_v1_ dor_v1_ dp_v1_
dnsimple-token alnum 24 dnsimple_a_ dnsimple_u_
docker-token word 20 dckr_pat_ dckr_oat_
docker-token base64 40 SWMKEY-1-
docker-token dotted 60 SWMTKN-1-
doppler-token alnum 36 dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.
doppler-token dotted 36 dp.st.
dropbox-token word 60 sl. sl.u.
dub-key alnum 24 dub_
duffel-token word 40 duffel_live_ duffel_test_
dynatrace-token dotted 60 dt0c01.
dynatrace-token dotted 40 dt0s16. dt0s01.
e2b-key hex 38 e2b_
easypost-key alnum 50 EZAK EZTK
elastic-key base64 50 essu_
elevenlabs-key hex 44 sk_
endorlabs-key word 14 endr+
exoscale-key alnum 24 EXO
facebook-token alnum 60 EAA
facebook-token word 60 IGQV
facebook-token alnum 40 EAACEdEose0cBA
figma-token word 36 figd_ figo_ figu_
figma-token word 40 figp_ figr_ figor_ figur_ figoh_ figuh_
finage-key upper 32 API_KEY
firecrawl-key hex 30 fc-
fireworks-key alnum 20 fw_
fleetbase-key alnum 20 flb_live_ flb_test_
flexport-token word 36 shltm_
flutterwave-key word 12 FLWSECK_TEST-
flutterwave-key word 30 FLWSECK- FLWPUBK_TEST-
fly-token word 36 fo1_
fly-token base64 40 fm1r_ fm2_
fly-token base64 40 fm1a_
frameio-token word 60 fio-u-
fullstory-key base64 60 na1.
gc-notify-key word 60 gcntfy-
github-token word 30 ghp_ gho_ ghu_ ghr_
github-token dotted 30 ghs_
github-token word 40 github_pat_
gitlab-token dotted 18 glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glsoat- gloas- glagent-
gitlab-token dotted 18 glimt- glffct- glwt-
gitlab-token word 18 GR1348941
gocardless-token word 38 sandbox_
google-api-key word 33 AIza
google-api-key word 30 AQ.Ab
google-oauth word 20 GOCSPX-
google-oauth dotted 20 ya29.
google-oauth word 24 1//0
google-oauth upper 40 GOOG1E
google-oauth upper 20 GOOG
grafana-token word 38 glsa_
grafana-token base64 32 glc_
grafana-token base64 36 eyJrIjoi
groq-key alnum 40 gsk_
harness-token dotted 56 pat. sat.
hcaptcha-key hex 32 ES_
helicone-key word 28 sk-helicone- pk-helicone-
heroku-key word 36 HRKU-
hex-key alnum 32 hex_
honeybadger-token alnum 28 hbp_
honeycomb-key lower 50 hcaik_ hcbik_ hcxik_
hubspot-token word 30 pat-na1- pat-na2- pat-eu1-
huggingface-token alnum 28 hf_
huggingface-token alnum 30 api_org_
`;
