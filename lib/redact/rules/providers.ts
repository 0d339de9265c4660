/**
 * Names of services that give out keys, in lower case and without marks. Pure.
 *
 * A hash beside one of them is more likely a key than a hash. Words of everyday code are left out.
 *
 * @module
 */

export const PROVIDERS = `
abuseipdb abyssale accountname accuweather adafruit adobe adobeio adzuna aeroworkflow agora aha
aikido airbrake airship airtable airvisual aiven alchemy alconost alegra aletheiaapi algolia
alibaba alienvault aliyun allsports amadeus ambee amplitude anthropic anypoint apacta api2cart
apideck apiflash apifonica apify apilayer apimatic apimetrics apitemplate apollo appcues
appfollow appointedd appoptics appsynergy apptivo artifactory artsy asaas asana assemblyai atera
atlassian audd auth0 authress autodesk autoklose autopilot avaza aviationstack aws axonaut
aylien ayrshare azure azureapinet bannerbear baremetrics beamer beebole besnappy besttime
betterstack billomat bintray bitbar bitbucket bitcoinaverage bitfinex bitly bitmex bitrise
bittrex blazemeter blitapp blocknative blogger blynk bombbomb boostnote borgbase boxa boxcom
boxk boxsubject boxt braintree braintrust brandfetch browserstack browshot bscscan buddyns
budibase bugherd bugsnag buildkite bulbul bulksms buttercms caflou cais calendarific calendly
calorieninja campayn canny canva capella capsulecrm captaindata carboninterface cashboard caspio
censys centralstation centralstationcrm cexio chartmogul chatbot chatfuel chatfule checio
checklyhq checkout checkvist cicero circle circleci cisco civo clarifai clearbit clerk clickhelp
clickhouse clicksend clicksendsms clickup cliengo clientary clinchpad clockify clockwork
clockworksms clojars closecrm cloudconvert cloudelements cloudflare cloudimage cloudinary
cloudmersive cloudplan cloudsight cloudsmith cloverly cloze clustdoc cockroachlabs coda codacy
codeclimate codecov codemagic codequiry cohere coinapi coinbase coinlayer coinlib collect2
commercejs commodities companyhub configcat confluence confluent contentful conversiontools
convertapi convertkit convier couchbase countrylayer courier coveralls craftmypdf crowdin
cryptocompare currencycloud currencyfreaks currencylayer currencyscoop currentsapi cursor
customerguru customerio d7network daily dailyco dandelion dareboost databento databox databricks
datadog datagov datastax debounce deepai deepgram deepseek delighted demio dependencytrack
detectify detectlanguage devcycle dfuse diffbot diggernaut digitalocean discord disqus ditto
dnscheck dockerhub docparser docsearch documo docusign doppler dotdigital dovico dronahq droneci
dropbox duffel dwolla dynalist dynatrace dyspatch eaac eaam eagleeyenetworks easyinsight
easypost ebay ecostruxureit edamam edenai eightxeight elasticemail elevenlabs enablex endorlabs
enigma enterpriseid envoy etherscan ethplorer etsy eventbrite everhour exchangerateapi
exchangerates exchangeratesapi exoscale exportsdk extractorapi facebook faceplusplus fastforex
fastly feedier fetchrss fibery figma fileio finage financialmodelingprep findl finicity finnhub
fixerio flatio fleetbase flexport flickr flightapi flightlabs flightstats flowflu flutterwave
flyio fmfw formbucket formcraft formio formsite foursquare frameio freemius freshbooks freshdesk
freshworks fulcrum fullstory fxmarket geckoboard gengo geoapify geocod geocode geocodify
geocodio geoip geoipifi getemail getemails getgeoapi getgist getresponse getsandbox ghapi ghpat
gitea githubapi gitter glassnode gocanvas gocardless godaddy goodday google graphcms graphhopper
greptile groovehq groq gtmetrix guardian guardianapi gumroad gyazo happyscribe harvest hashicorp
hasura hellosign helpcrunch helpscout hereapi heroku hetzner highnote hiveage holidayapi
holistic honeycomb html2pdf huawei hubspot huggingface humanity hybiscus hypertrack ibm
iconfinder iexapis iexcloud imagekit imagga influx infomaniak infracost infura inrlbxbvcmfslmlv
insightly instabot instamojo intercom interseller intra42 intrinio invoiceocean ip2location
ipapi ipgeolocation ipifi ipinfo ipinfodb ipquality ipstack jfrog jira jotform jumpcloud
jupiterone juro kagi kanban kanbantool karmacrm keenio kickbox kimi klaviyo klipfolio
knapsackpro kontent kraken kucoin kylas langchain langfuse langsmith languagelayer lark
larksuite launchdarkly leadfeeder lemlist lemonsqueezy lendflow lessannoyingcrm lexigram lichess
lighton linear linemessaging linenotify linkedin linkpreview linode liveagent livestorm loadmill
locationiq loggly loginradius logz logzio lokalise looker loyverse lunchmoney luno m3o madkudu
magicbell magnetic mailboxlayer mailchimp mailerlite mailersend mailgun mailjet mailmodo mailsac
managementazureapinet mandrill mapbox mapquest marketstack mattermost mavenlink maxmind
meaningcloud mediastack meistertask meraki mesibo messagebird metaapi metabase metrilo midtrans
mindmeister minimax miro mistral mite mixmax mixpanel mockaroo monkeylearn moonclerk moonshot
moosend moralis mrticktock mux myfreshworks myintervals nasdaq nasdaqdatalink netcore nethunt
netlify netsuite neutrinoapi newrelic newsapi newscatcher newyorktimes nexmo nftport ngc ngrok
nicereply nightfall noticeable notion nozbe nozbeteams numverify nutritionix nylas nytimes oanda
octopusdeploy okta ollama omnisend onedesk onelogin onepagecrm onesignal onfido onfleet oopspam
openai opencagedata openrouter openuv openvpn openweather opsgenie optimizely oracle overloop
ovh owlbot packagecloud pagarme pagerduty pandadoc pandascore paperform paradigm paralleldots
parsehub parseur parseuril particleio partnerstack pastebin paydirtapp paymoapp paymongo paypal
paystack pdflayer pdfshift peopledatalabs pepipost percy perplexity pganalyze photoroom pinata
pinecone pinterest pipedream pipedrive pivotal pivotaltracker pixabay plaid planetscale planview
planviewleankit planyo plivo podio pollsapi poloniex polymarket portainer positionstack
postageapp postbacks posthog postman postmark powrbot prefect privateai prodpad prospect
prospectcrm protocolsio proxycrawl pubnub pulumi purestake pushbullet pusher pusherchannel pyowm
pyxis qase qualaroo qubole railwayapp rainforest rapidapi rawg razorpay reachmail
reallysimplesystems rebrandly recaptcha rechargepayments refiner relic rentman repairshopr
replicate replyio requestfinance restpack revamp revampcrm ringcentral ritekit roaring robinhood
rocketreach rockset ronin route4me rownd rubygems runpod runrunit runscope saladcloud salesblink
salescookie salesflare salesforce salesmate samsara sanity satismeter saucelabs scaleway
scalingo scalr scrapeowl scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee
screenshotapi screenshotlayer scrutinizer scrutinizerci securitytrails selectpdf semaphore
sendbird sendgrid sendinblue sentry serphouse serpstack settlemint sheety sherpadesk shipday
shippo shodan shopify shortcut shotstack shutterstock signalwire signaturit signupgenius sigopt
simfin simplesat simplynoted simvoly sinch sirv siteleaf skrapp skrappio skybiometry smartsheets
smartystreets smooch snipcart snowflake snyk solarwinds sonar sonarcloud sonarqube sourcegraph
sourcegraphcody sparkpost spectralops speechtext speechtextai splunk spoonacular sportsmonk
spotify squarespace sslmate stability stackhawk statuscake statuspage statuspal stitchdata
stockdata storecove stormboard stormglass storyblok storychief strava streak stripo stytch
sugester sumo sumologic supabase supernotes surveyanyplace surveybot surveysparrow survicate
swiftype tailscale tallyfy tatum tatumio taxjar teamgate teamwork teamworkcrm teamworkdesk
teamworkspaces technicalanalysisapi tefter telegr telegram teletype telnyx tencent terraform
testingbot textanywhere textmagic tgram theoddsapi thingsboard thinkific thousandeyes
thunderstore ticketmaster tickettailor tiingo timecamp timezoneapi tineswebhook tmetric todoist
togetherai toggl tokeet tomorrowio tomtom tradier transferwise travelpayouts travis travisci
trello tumblr twelvedata twilio twitch twitter tyntec typeform typetalk ubidots uclassify
unifyid unplu unplugg unsplash upcdatabase upcloud uplead uploadcare upstage uptimerobot upwave
urlscan userflow userstack vagrant vatlayer vbout vercel verimail veriphone versioneye viewneo
virustotal visualcrossing vmware voiceflow voicegain voodoosms vouchery vpnapi vultr vyte
wakatime walkscore wandb weatherbit weatherstack web3storage webex webflow webscraper
webscraping websitepulse weightsandbiases wepay whoxy wistia wiz workato workos worksnaps
workstack worldcoinindex worldweather wrike xai xray yandex yelp youneedabudget yousign youtube
zai zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zipapi zipbooks
zipcodeapi zipcodebase zohocrm zonka zonkafeedback zulipchat zuplo
`;
